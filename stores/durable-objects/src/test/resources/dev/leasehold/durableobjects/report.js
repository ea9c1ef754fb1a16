// A Durable Object as a user writes it. It keeps a report in its database, and a counter in its storage of keys, which change together.
import { LeaseholdFence, Refused } from "./leasehold-fence.js";

// The objects whose slow write has begun, and those whose slow write should end, for the test.
const began = new Set();
const ends = new Set();

export default {
  fetch(request, env) {
    const url = new URL(request.url);
    if (url.searchParams.get("step") === "began") {
      return new Response(String(began.has(url.pathname)));
    }
    if (url.searchParams.get("step") === "end") {
      ends.add(url.pathname);
      return new Response("ends");
    }
    return env.OBJECTS.get(env.OBJECTS.idFromName(url.pathname)).fetch(request);
  },
};

export class Report {
  constructor(state) {
    this.storage = state.storage;
    this.storage.sql.exec("CREATE TABLE IF NOT EXISTS report (id INTEGER PRIMARY KEY, content TEXT NOT NULL)");
    this.fence = new LeaseholdFence(state.storage);
  }

  async fetch(request) {
    try {
      return await this.answer(request);
    } catch (e) {
      if (e instanceof Refused) {
        return e.response();
      }
      return new Response(e.message, { status: 500 });
    }
  }

  async answer(request) {
    const grant = request.headers.get("Leasehold-Grant");
    const content = await request.text();
    const write = (storage) => this.write(storage, content);
    switch (new URL(request.url).searchParams.get("step")) {
      case "raise":
        await this.fence.raise(grant);
        break;
      case "rebind":
        await this.fence.rebind(grant);
        break;
      case "admit":
        await this.fence.admit(grant, write);
        break;
      case "once":
        return new Response((await this.fence.admitOnce(grant, content, write)) ? "written" : "already written");
      case "slow":
        await this.fence.admit(grant, async (storage) => {
          const path = new URL(request.url).pathname;
          began.add(path);
          for (let i = 0; i < 3000 && !ends.has(path); i++) {
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
          await this.write(storage, content);
        });
        break;
      case "failing":
        await this.fence.admit(grant, async (storage) => {
          await this.write(storage, content);
          throw new Error("the disk of the example is full");
        });
        break;
      default:
        return this.read();
    }
    return new Response("written");
  }

  async write(storage, content) {
    this.storage.sql.exec("INSERT OR REPLACE INTO report VALUES (1, ?)", content);
    await storage.put("writes", ((await storage.get("writes")) ?? 0) + 1);
  }

  async read() {
    const found = this.storage.sql.exec("SELECT content FROM report").toArray();
    const headers = { Writes: String((await this.storage.get("writes")) ?? 0) };
    return found.length === 0 ? new Response(null, { status: 404, headers }) : new Response(found[0].content, { headers });
  }
}
