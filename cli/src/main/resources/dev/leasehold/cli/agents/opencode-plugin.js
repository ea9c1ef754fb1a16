// Leasehold agent-hook for opencode, written by 'leasehold agent-hook install opencode'.
// It asks Leasehold before each tool call. Whatever goes wrong throws, and opencode refuses the call.
import { spawn } from "node:child_process"

const command = "LEASEHOLD_COMMAND"
const timeoutMs = 60000

function ask(event) {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"] })
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs)
    let out = ""
    let err = ""
    child.stdout.on("data", (part) => (out += part))
    child.stderr.on("data", (part) => (err += part))
    child.on("error", (e) => {
      clearTimeout(timer)
      reject(e)
    })
    child.on("close", (code) => {
      clearTimeout(timer)
      if (code !== 0) {
        reject(new Error(err.trim() || "leasehold agent-hook failed (exit " + code + "), so the tool call is blocked"))
        return
      }
      try {
        resolve(out.trim() === "" ? {} : JSON.parse(out))
      } catch (e) {
        reject(e)
      }
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

export const Leasehold = async ({ client, directory }) => {
  const parents = new Map()
  // Not every version of opencode repeats the arguments after the call.
  const begun = new Map()

  // A subagent has a session of its own. Its parent's session owns the leases.
  async function who(sessionID) {
    if (!parents.has(sessionID)) {
      const answer = await client.session.get({ path: { id: sessionID } })
      parents.set(sessionID, answer?.data?.parentID ?? null)
    }
    const parent = parents.get(sessionID)
    return parent ? { sessionID: parent, agent: sessionID } : { sessionID, agent: "" }
  }

  return {
    "tool.execute.before": async (input, output) => {
      const answer = await ask({
        event: "tool.execute.before",
        ...(await who(input.sessionID)),
        callID: input.callID,
        tool: input.tool,
        args: output.args,
        cwd: directory,
      })
      if (answer.decision === "deny") throw new Error(answer.reason)
      if (begun.size > 1000) begun.clear()
      begun.set(input.callID, output.args)
    },
    "tool.execute.after": async (input, output) => {
      const args = input.args ?? begun.get(input.callID) ?? {}
      begun.delete(input.callID)
      const answer = await ask({
        event: "tool.execute.after",
        ...(await who(input.sessionID)),
        callID: input.callID,
        tool: input.tool,
        args,
        cwd: directory,
      })
      if (answer.note) output.output = (output.output ?? "") + "\n\n" + answer.note
    },
    event: async ({ event }) => {
      if (event.type !== "session.idle" && event.type !== "session.deleted") return
      const id = event.properties?.sessionID ?? event.properties?.info?.id
      if (!id) return
      try {
        await ask({ event: event.type, ...(await who(id)), cwd: directory })
      } catch {
        // The leases expire by themselves.
      }
    },
  }
}
