// Loads the plugin as opencode does: an ES module whose exports are functions that get a context and return hooks. Plays a few
// tool calls, and prints one line for each: "ok" with what was added to the output, or "refused" with the reason.
// Usage: node session.mjs PLUGIN DIRECTORY
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const [plugin, directory] = process.argv.slice(2)
const parents = { child: "first" }
let clientFails = false
const client = {
  session: {
    get: async ({ path }) => {
      if (clientFails) throw new Error("the client of opencode failed")
      return { data: { id: path.id, parentID: parents[path.id] } }
    },
  },
}

async function load(file) {
  const hooks = []
  for (const make of Object.values(await import(pathToFileURL(file)))) {
    hooks.push(await make({ client, directory, worktree: directory, project: {}, $: () => {} }))
  }
  return hooks
}

let calls = 0
// opencode runs the hooks, then the tool, then the hooks; whatever throws before the tool refuses the call.
async function call(hooks, name, sessionID, tool, args, run, withArgs = true) {
  const callID = "call-" + ++calls
  try {
    const before = { args }
    for (const hook of hooks) await hook["tool.execute.before"]({ tool, sessionID, callID }, before)
    run?.()
    const after = { title: "", output: "", metadata: {} }
    const input = withArgs ? { tool, sessionID, callID, args: before.args } : { tool, sessionID, callID }
    for (const hook of hooks) await hook["tool.execute.after"](input, after)
    console.log(name + ": ok" + after.output.replace(/\s+/g, " "))
  } catch (e) {
    console.log(name + ": refused " + String(e.message).replace(/\s+/g, " "))
  }
}

const file = join(directory, "a.txt")
const read = { filePath: file }
const write = (content) => [{ filePath: file, content }, () => writeFileSync(file, content)]
const hooks = await load(plugin)
await call(hooks, "unread", "first", "write", ...write("lost"))
await call(hooks, "read", "first", "read", read)
await call(hooks, "write", "first", "write", ...write("by the first"))
await call(hooks, "other session", "second", "write", ...write("lost"))
await call(hooks, "subagent reads", "child", "read", read, undefined, false)
const aside = { filePath: file, content: "by the subagent" }
await call(hooks, "subagent writes", "child", "write", aside, () => writeFileSync(file, "by a person"), false)
for (const sessionID of ["child", "first"]) {
  for (const hook of hooks) await hook.event({ event: { type: "session.idle", properties: { sessionID } } })
}
await call(hooks, "after the stop", "second", "write", ...write("lost"))

clientFails = true
await call(hooks, "client fails", "third", "write", ...write("lost"))
clientFails = false
process.env.LEASEHOLD_STORE = "file:" + join(directory, "no-such-store")
await call(hooks, "store fails", "second", "write", ...write("lost"))
const broken = await load(plugin.replace("leasehold.js", "broken.js"))
await call(broken, "program is gone", "second", "write", ...write("lost"))
