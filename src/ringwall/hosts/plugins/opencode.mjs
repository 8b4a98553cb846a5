// OpenCode. Until this has loaded, the configuration denies every tool; `config` lifts that denial.
const lockedOut = (rule) =>
  rule !== null && typeof rule === "object" && Object.keys(rule).length === 1 && rule["*"] === "deny";

export const Ringwall = async (context) => {
  const parents = new Map();
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
      if (event.type === "session.compacted") {
        await tell("opencode", { event: "compact", ...about(event.properties.sessionID) });
      }
    },
    "tool.execute.before": async (input, output) => {
      const call = { tool: input.tool, input: output.args ?? {}, call: input.callID };
      await judge("opencode", { event: "before_call", ...about(input.sessionID), ...call });
    },
    "tool.execute.after": async (input) => {
      const call = { tool: input.tool, input: input.args ?? {}, call: input.callID };
      await tell("opencode", { event: "after_call", ...about(input.sessionID), ...call });
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (!input?.sessionID) return;
      const { context: text } = await tell("opencode", { event: "step", ...about(input.sessionID), surface: output.system });
      if (text) output.system.push(text);
    },
  };
};
