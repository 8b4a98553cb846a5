// pi. An extension that does not load ends this host, so nothing runs unjudged.

// What Ringwall has told the session and what its model still gets, compaction considered.
const shown = (manager) =>
  (manager?.buildContextEntries?.() ?? [])
    .filter((entry) => entry.type === "custom_message" && entry.customType === "ringwall")
    .map((entry) => (typeof entry.content === "string" ? entry.content : entry.content.map((part) => part.text ?? "").join("\n")));

export default function (pi) {
  const about = (context) => ({ session: context.sessionManager?.getSessionId?.() || "pi", cwd: context.cwd });
  pi.on("session_start", async (event, context) => {
    await tell("pi", { event: "session_start", ...about(context) });
  });
  pi.on("before_agent_start", async (event, context) => {
    const messages = [{ kind: "user", text: String(event.prompt ?? "") }];
    const surface = shown(context.sessionManager);
    const { context: text } = await tell("pi", { event: "step", ...about(context), messages, surface });
    if (text) return { message: { customType: "ringwall", content: text, display: true } };
  });
  pi.on("tool_call", async (event, context) => {
    const call = { tool: event.toolName, input: event.input ?? {}, call: event.toolCallId };
    try {
      await judge("pi", { event: "before_call", ...about(context), ...call });
    } catch (error) {
      return { block: true, reason: error.message };
    }
  });
  pi.on("tool_result", async (event, context) => {
    const call = { tool: event.toolName, input: event.input ?? {}, call: event.toolCallId };
    await tell("pi", { event: event.isError ? "call_failed" : "after_call", ...about(context), ...call });
  });
}
