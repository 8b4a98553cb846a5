// Ringwall. Written by `ringwall init`, which puts this and the part for one host together; do not edit.
import { spawn } from "node:child_process";

const CLIENT = ["@CLIENT@"];
const SECONDS = 60;

// Sends one event to Ringwall. Resolves to its answer; rejects whenever there is none, whatever went wrong.
function ringwall(host, event) {
  return new Promise((resolve, reject) => {
    const parts = [], told = [];
    const { CLAUDE_PROJECT_DIR, ...env } = process.env; // of another host that started this one
    const child = spawn(CLIENT[0], [...CLIENT.slice(1), host], { cwd: event.cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), SECONDS * 1000);
    const fail = (why) => reject(new Error(`Ringwall has no verdict, so the call is stopped: ${why}. Run \`ringwall doctor\`.`));
    child.on("error", (error) => { clearTimeout(timer); fail(error.message); });
    child.stdin.on("error", () => {});
    child.stdout.on("data", (part) => parts.push(part));
    child.stderr.on("data", (part) => told.push(part));
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code !== 0) return fail(Buffer.concat(told).toString().trim() || `the client ended with ${code}`);
      try {
        const answer = JSON.parse(Buffer.concat(parts).toString());
        if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return fail("the answer is no object");
        resolve(answer);
      } catch {
        fail("the answer is not JSON");
      }
    });
    child.stdin.end(JSON.stringify(event));
  });
}

// Resolves where the call may run, and rejects with the reason where it may not.
async function judge(host, event) {
  const answer = await ringwall(host, event);
  if (answer.verdict === "allow" || Object.keys(answer).length === 0) return;
  throw new Error(answer.reason || "Ringwall denies this call.");
}

// Tells Ringwall of something that waits for no verdict.
async function tell(host, event) {
  try {
    return await ringwall(host, event);
  } catch {
    return {};
  }
}
