// DeepSeek Harness. The agent loop of the profile waits for the service `ringwallGate`, so that no agent runs
// where this has not loaded.
export const name = "ringwall";

const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).map((part) => part?.text ?? "").join("\n");

const about = (agent) => {
  const header = agent?.session?.header ?? {};
  const family = header.parentSession
    ? { session: header.parentSession, agent: header.id, parent: header.parentSession, depth: header.delegationDepth ?? 1 }
    : { session: header.id ?? agent?.id };
  return { cwd: folders.get(header.id) ?? header.cwd ?? process.cwd(), ...family };
};

const folders = new Map(); // where a session works that has moved, by its id

const failed = (result) => result?.isError === true || (result?.value?.exitCode ?? 0) !== 0;

export function apply(ctx, config) {
  ctx.provide("ringwallGate", { loaded: true });
  tell("dsh", { event: "loaded", session: "dsh", cwd: process.cwd() });

  ctx.on("tools/pre-execute", async (exec, next) => {
    const call = { tool: exec.name, input: exec.arguments ?? {}, call: exec.callId };
    try {
      await judge("dsh", { event: "before_call", ...about(exec.agent), ...call });
    } catch (error) {
      return { kind: "deny", reason: error.message };
    }
    return next();
  });

  ctx.on("tools/result", async (exec, result) => {
    const call = { tool: exec.name, input: exec.arguments ?? {}, call: exec.callId };
    await tell("dsh", { event: failed(result) ? "call_failed" : "after_call", ...about(exec.agent), ...call });
    const id = exec.agent?.session?.header?.id;
    if (exec.name === "working_directory" && id && result?.value?.cwd) folders.set(id, result.value.cwd);
  });

  ctx.on("agent/pre-step", async (step, next) => {
    const decision = await next();
    if (decision.kind !== "enter") return decision;
    try {
      const messages = decision.messages.map((each) => ({ kind: each.source?.kind ?? "", text: textOf(each.content) }));
      const told = { messages, surface: shown(step.agent?.session), lineage: lineage(step.agent), switches: switches(config) };
      const { context: text } = await tell("dsh", { event: "step", ...about(step.agent), ...told });
      if (!text) return decision;
      const hint = { role: "user", content: [{ type: "text", text }], source: { kind: "ringwall" } };
      return { kind: "enter", messages: [...decision.messages, hint] };
    } catch {
      return decision; // a hint stops nothing
    }
  });
}

// What the session shows already, as far as it carries a marker: the surface names events of its log.
const shown = (session) =>
  [...(session?.surface?.nodes ?? [])]
    .map((seq) => session.eventAt(seq))
    .filter((event) => event?.type === "user/message")
    .map((event) => textOf(event.data?.content))
    .filter((text) => text.includes("<!-- DSH-HARNESS-"));

const lineage = (agent) => {
  const { origin = "", delegationDepth = 0, parentSession = "" } = agent?.session?.header ?? {};
  return { origin, delegationDepth, parentSession, subagentDepth: agent?.options?.subagentDepth ?? 0 };
};

const switches = (config) =>
  Object.fromEntries(["enabled", "bootstrap", "harnessCheck", "roleHint"].map((name) => [name, config?.[name] !== false]));
