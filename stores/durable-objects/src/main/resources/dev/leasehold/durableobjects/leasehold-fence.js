// A fence for the data of a Durable Object of your own. Copy this file beside your Worker; docs/cloud-stores.md has an example.
//
// The grant is judged inside the transaction that writes, so check and write are one step: the object handles nothing else
// before the transaction has ended, and a write that fails takes back what the fence has seen. The rules are those of every
// fence of Leasehold.

const HEADER = "Leasehold-Grant";
const GRANT = /^lh1;([1-9][0-9]{0,18});([A-Za-z0-9_-]{8,64})?;([A-Za-z0-9_-]{8,64})?;([A-Za-z0-9._:\/@-]{1,200})$/;
const LARGEST = 9223372036854775807n;

// Nothing was written. The types are those that docs/services.md lists, and response() answers as it says.
export class Refused extends Error {
  constructor(status, type, detail, raised) {
    super(detail);
    this.status = status;
    this.type = type;
    this.raised = raised;
  }

  response() {
    const body = { type: `urn:leasehold:problem:${this.type}`, status: this.status, detail: this.message };
    const headers = {
      "Content-Type": "application/problem+json",
      "Cache-Control": "no-store",
      "Leasehold-Refused": this.type,
    };
    if (this.raised !== undefined) {
      headers["Leasehold-Raised"] = this.raised;
    }
    return new Response(JSON.stringify(body), { status: this.status, headers });
  }
}

// Each method takes the text of a grant, as the header Leasehold-Grant carries it, and throws Refused.
export class LeaseholdFence {
  // The storage is that of the object. The key is where the fence is kept; an object may have several.
  constructor(storage, key = "leasehold-fence") {
    this.storage = storage;
    this.key = key;
  }

  // Refuses older tokens from now on. Call it before the first read of the work.
  async raise(grant) {
    await this.#step(grant, judge);
  }

  // Writes in the transaction that judges the grant. Everything that must not be done by a stale run belongs into write,
  // which gets the storage of the transaction; it may also use the database of the object (storage.sql).
  async admit(grant, write) {
    await this.#step(grant, judge, write);
  }

  // Writes once for each grant. The digest is a text that tells this write from others. False if it was written before.
  async admitOnce(grant, digest, write) {
    if (typeof digest !== "string" || digest === "") {
      throw new Refused(400, "bad-request", "the write has no digest, so it could not be told from others: nothing was written");
    }
    return this.#step(grant, (state, shown) => judge(state, shown, digest), write);
  }

  // Binds the data to the store of this grant, because the store of the earlier grants was lost.
  async rebind(grant) {
    await this.#step(grant, judgeBinding);
  }

  async #step(text, rule, write) {
    const grant = parsed(text);
    const decision = await this.storage.transaction(async (storage) => {
      const before = await storage.get(this.key);
      const decided = rule(before, grant);
      if (decided.after) {
        if (JSON.stringify(decided.after) !== JSON.stringify(before)) {
          await storage.put(this.key, decided.after);
        }
        await write?.(storage);
      }
      return decided;
    });
    if (decision.refused) {
      throw decision.refused;
    }
    return decision.after !== undefined;
  }
}

function parsed(text) {
  if (text === null || text === undefined) {
    throw new Refused(428, "grant-required", `this call is made under a lease: send the grant in the header ${HEADER}`);
  }
  const parts = GRANT.exec(text);
  if (!parts || BigInt(parts[1]) > LARGEST) {
    throw new Refused(400, "bad-request", `${HEADER}: this is no grant. Pass it on unchanged`);
  }
  return { token: BigInt(parts[1]), attempt: parts[2], store: parts[3], name: parts[4] };
}

// A decision has what the fence remembers afterwards, or the refusal. With neither, the same was written before.
function judge(state, grant, digest) {
  if (!state) {
    return { after: remembered({}, grant, digest) };
  }
  const wrong = wrongName(state, grant) ?? wrongStore(state, grant);
  if (wrong) {
    return { refused: wrong };
  }
  const raised = BigInt(state.raised);
  if (grant.token < raised) {
    return { refused: stale(state, grant) };
  }
  if (grant.token === raised && grant.attempt && state.attempt && grant.attempt !== state.attempt) {
    return { refused: wentBack(grant) };
  }
  if (digest !== undefined && state.once !== undefined && BigInt(state.once) >= grant.token) {
    return BigInt(state.once) === grant.token && digest === state.digest ? {} : { refused: onceUsed(grant) };
  }
  return { after: remembered(state, grant, digest) };
}

function judgeBinding(state, grant) {
  if (!grant.store) {
    return { refused: new Refused(400, "bad-request", "the grant names no store: nothing can be bound to it") };
  }
  if (!state) {
    return { refused: new Refused(409, "no-fence", "there is no fence: there is nothing to bind. Raise it with the grant") };
  }
  if (!state.store || state.store === grant.store) {
    return judge(state, grant);
  }
  const wrong = wrongName(state, grant);
  if (wrong || grant.token <= BigInt(state.raised)) {
    return { refused: wrong ?? stale(state, grant) };
  }
  return { after: { ...state, store: grant.store, raised: String(grant.token), attempt: grant.attempt } };
}

// Keeps the store and the attempt where the grant does not name them.
function remembered(state, grant, digest) {
  const higher = state.raised === undefined || BigInt(state.raised) < grant.token;
  return {
    name: grant.name,
    store: state.store ?? grant.store,
    raised: String(grant.token),
    attempt: higher ? grant.attempt : (state.attempt ?? grant.attempt),
    once: digest === undefined ? state.once : String(grant.token),
    digest: digest === undefined ? state.digest : digest,
  };
}

function wrongName(state, grant) {
  return state.name === grant.name
    ? undefined
    : new Refused(409, "wrong-fence", `this is guarded by lease ${state.name}, not by ${grant.name}: nothing was written`);
}

function wrongStore(state, grant) {
  return !state.store || !grant.store || state.store === grant.store
    ? undefined
    : new Refused(
        412,
        "wrong-store",
        `lease ${state.name} counts here by the tokens of store ${state.store}, but the grant is of store ${grant.store}:` +
          " nothing was written. Tokens of two stores cannot be compared",
      );
}

function stale(state, grant) {
  const detail = `token ${grant.token} of ${grant.name} is stale: token ${state.raised} was seen here`;
  return new Refused(412, "stale", detail, state.raised);
}

function wentBack(grant) {
  const detail =
    `the store went back in time: it issued token ${grant.token} of ${grant.name}, which was seen here from another grant;` +
    ` lift the counter with: leasehold repair ${grant.name} --above ${grant.token} --reason 'the store went back'`;
  return new Refused(412, "stale", detail, String(grant.token));
}

function onceUsed(grant) {
  const detail = `the one write of token ${grant.token} of ${grant.name} was used for other content`;
  return new Refused(412, "once-used", detail);
}
