// A store of Leasehold in Cloudflare Durable Objects: one object for each store. Deploy it with wrangler.toml, which is beside
// this file; docs/cloud-stores.md has the steps.
//
// An object handles one event at a time and answers only after its writes are durable, so each call below is one atomic step. The
// clock is that of the object. There are no alarms: a lease is over when its deadline has passed, and nothing has to happen then.

const MOST_VALUE = 2_000_000;
const MOST_LISTED = 500;
const MOST_LISTED_WITH_VALUES = 200;
const NUMBER = "n";

export default {
  async fetch(request, env) {
    if (!env.LEASEHOLD_KEY) {
      return answer(500, { error: "the Worker has no key: run 'wrangler secret put LEASEHOLD_KEY'" });
    }
    const shown = (request.headers.get("Authorization") ?? "").replace(/^Bearer /, "");
    if (!(await same(shown, env.LEASEHOLD_KEY))) {
      return answer(401, { error: "wrong key" });
    }
    const store = new URL(request.url).pathname.match(/^\/v1\/([A-Za-z0-9._-]{1,100})$/);
    if (!store || request.method !== "POST") {
      return answer(404, { error: "not found" });
    }
    const object = env.STORES.get(env.STORES.idFromName(store[1]));
    return object.fetch(request);
  },
};

// Compares digests, so that the time tells nothing about the key.
async function same(shown, key) {
  const encoder = new TextEncoder();
  const [a, b] = await Promise.all(
    [shown, key].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))),
  );
  return crypto.subtle.timingSafeEqual(a, b);
}

function answer(status, body) {
  return new Response(JSON.stringify({ at: Date.now(), ...body }), {
    status,
    headers: { "Content-Type": "application/json" },
  });
}

export class LeaseholdStore {
  constructor(state) {
    this.storage = state.storage;
  }

  async fetch(request) {
    let call;
    try {
      call = await request.json();
    } catch {
      return answer(400, { error: "the call is not JSON" });
    }
    switch (call.call) {
      case "read":
        return answer(200, (await this.storage.get(call.key)) ?? {});
      case "replace":
        return this.replace(call);
      case "list":
        return this.list(call);
      default:
        return answer(400, { error: "unknown call: is the Worker older than this client?" });
    }
  }

  // Versions come from one counter, so a key that is removed and created again never gets an old one.
  async replace({ key, expected, value }) {
    if (typeof value === "string" && value.length > MOST_VALUE) {
      return answer(400, { error: "the value is too large" });
    }
    return this.storage.transaction(async (storage) => {
      const before = await storage.get(key);
      if ((before?.version ?? "") !== expected) {
        return answer(200, { replaced: false });
      }
      if (value === null) {
        await storage.delete(key);
        return answer(200, { replaced: true });
      }
      const number = ((await storage.get(NUMBER)) ?? 0) + 1;
      await storage.put({ [NUMBER]: number, [key]: { version: String(number), value } });
      return answer(200, { replaced: true, version: String(number) });
    });
  }

  async list({ prefix, after, limit, values }) {
    const options = { prefix, limit: Math.min(limit, values ? MOST_LISTED_WITH_VALUES : MOST_LISTED) };
    if (after >= prefix) {
      options.startAfter = after;
    }
    const found = await this.storage.list(options);
    const entries = [...found.values()];
    return answer(200, {
      keys: [...found.keys()],
      versions: entries.map((entry) => entry.version),
      ...(values ? { values: entries.map((entry) => entry.value) } : {}),
    });
  }
}
