// OpenCode. Until this has loaded, the configuration denies every tool; `config` lifts that denial.
const lockedOut = (rule) =>
  rule !== null && typeof rule === "object" && Object.keys(rule).length === 1 && rule["*"] === "deny";

export const Ringwall = async (context) => {
  const parents = new Map();
  const asked = new Map(); // what a person said last, by session
  const running = new Map(); // calls that may run and have not ended, by their id
  const about = (session) => {
    const chain = [];
    for (let at = parents.get(session); at && chain.length < 32; at = parents.get(at)) chain.push(at);
    const root = chain.at(-1);
    const family = root ? { session: root, agent: session, parent: chain[0], depth: chain.length } : { session };
    return { cwd: context.directory, ...family };
  };
  await tell("opencode", { event: "loaded", session: "opencode", cwd: context.directory });
  return {
    config: async (config) => {
      if (config.permission && lockedOut(config.permission["*"])) delete config.permission["*"];
    },
    event: async ({ event }) => {
      const info = event.properties?.info;
      if (event.type === "session.created" && info?.parentID) parents.set(info.id, info.parentID);
      const part = event.properties?.part;
      if (event.type === "message.part.updated" && part?.state?.status === "error" && running.has(part.callID)) {
        await tell("opencode", { event: "call_failed", ...running.get(part.callID) });
        running.delete(part.callID);
      }
      if (event.type === "session.compacted") {
        await tell("opencode", { event: "compact", ...about(event.properties.sessionID) });
      }
    },
    "chat.message": async (input, output) => {
      asked.set(input.sessionID, (output.parts ?? []).map((part) => part.text ?? "").join("\n"));
    },
    "tool.execute.before": async (input, output) => {
      const args = structuredClone(output.args ?? {});
      const call = { ...about(input.sessionID), tool: input.tool, input: args, call: input.callID };
      await judge("opencode", { event: "before_call", ...call });
      running.set(input.callID, call);
    },
    "tool.execute.after": async (input, output) => {
      const call = { ...about(input.sessionID), tool: input.tool, input: input.args ?? {}, call: input.callID };
      running.delete(input.callID);
      const failed = (output?.metadata?.exit ?? 0) !== 0;
      await tell("opencode", { event: failed ? "call_failed" : "after_call", ...call });
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (!input?.sessionID) return;
      const messages = asked.has(input.sessionID) ? [{ kind: "user", text: asked.get(input.sessionID) }] : [];
      const step = { event: "step", ...about(input.sessionID), messages, surface: output.system };
      const { context: text } = await tell("opencode", step);
      if (text) output.system.push(text);
    },
  };
};
