// One session of the official client: connects, looks at the tools, and works under a lease. Prints what it saw as one line of
// JSON. Usage: node session.mjs MODE URL, or node session.mjs MODE COMMAND...; MODE is legacy, auto, or a version.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [mode, target, ...args] = process.argv.slice(2);
const http = target.startsWith('http');
const key = process.env.LEASEHOLD_ACCESS_KEY;
const transport = http
    ? new StreamableHTTPClientTransport(new URL(target), key ? { requestInit: { headers: { Authorization: `Bearer ${key}` } } } : {})
    : new StdioClientTransport({ command: target, args, env: process.env, stderr: 'inherit' });
const negotiation = mode === 'legacy' || mode === 'auto' ? mode : { pin: mode };
const client = new Client({ name: 'leasehold-test', version: '1' }, { versionNegotiation: { mode: negotiation } });

await client.connect(transport);
const { tools } = await client.listTools();
const call = async (name, values) => (await client.callTool({ name, arguments: values })).structuredContent;
const granted = await call('lease_acquire', { name: 'team/job', holder: 'node' });
const busy = await call('lease_acquire', { name: 'team/job' });
const claimed = await call('work_claim', { handle: granted.handle, key: 'k' });
const completed = await call('work_complete', { handle: granted.handle, key: 'k', result: 'done' });
const begun = await call('once', { handle: granted.handle, id: 'mail', action: 'begin' });
const released = await call('lease_release', { handle: granted.handle });
const stale = await call('lease_renew', { handle: granted.handle });
const invalid = await client.callTool({ name: 'lease_acquire', arguments: { name: 'a b' } });
let unknown = 0;
try {
    await client.callTool({ name: 'nonsense', arguments: {} });
} catch (error) {
    unknown = error.code;
}
console.log(
    JSON.stringify({
        version: client.getNegotiatedProtocolVersion(),
        server: client.getServerVersion()?.name,
        instructions: client.getInstructions()?.length > 0,
        tools: tools.map(tool => tool.name),
        outcomes: [granted, busy, claimed, completed, begun, released, stale].map(facts => facts.outcome),
        holder: busy.holder,
        invalid: invalid.isError,
        unknown,
        session: http ? transport.sessionId !== undefined : null
    })
);
await client.close();
