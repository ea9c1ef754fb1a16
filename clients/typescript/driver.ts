// Lets a test drive leasehold.ts: one JSON array per line in, one JSON value per line out.

import { Lease, Leasehold } from "./leasehold.js";

declare const process: {
  argv: string[];
  env: Record<string, string | undefined>;
  stdin: AsyncIterable<Uint8Array>;
  stdout: { write(text: string): void };
  exit(code: number): void;
};

const server = new Leasehold(process.argv[2].split(","), { timeout: 2000, key: process.env.LEASEHOLD_ACCESS_KEY });
const leases = new Map<number, Lease>();
const losses: string[] = [];

async function run(verb: string, ...args: any[]): Promise<unknown> {
  if (verb === "acquire") {
    const lease = await server.acquire(args[0], {
      ttl: args[1],
      wait: args[2],
      holder: "driver",
      onLost: (reason) => losses.push(reason),
    });
    leases.set(lease.token, lease);
    return lease.token;
  }
  if (verb === "losses") {
    return losses;
  }
  const lease = leases.get(args[0]) as Lease;
  switch (verb) {
    case "lost":
      return lease.lost;
    case "once":
      return lease.once(args[1], async (id) => "made " + id);
    case "fail-once":
      return lease.once(args[1], async () => {
        throw new Error("the target did not answer");
      });
    case "admit-once":
      return lease.admitOnce(args[1], args[2]);
    default:
      return (lease as any)[verb](...args.slice(1));
  }
}

let pending = "";
const decoder = new TextDecoder();
for await (const chunk of process.stdin) {
  pending += decoder.decode(chunk, { stream: true });
  const lines = pending.split("\n");
  pending = lines.pop() as string;
  for (const line of lines) {
    let answer: object;
    try {
      answer = { value: (await run(...(JSON.parse(line) as [string]))) ?? null };
    } catch (e) {
      answer = { error: (e as Error).name, detail: (e as Error).message };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
}
process.exit(0);
