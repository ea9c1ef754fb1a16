/**
 * A client of a Leasehold server, in one file that needs nothing but `fetch`: Node 18, Deno, Workers.
 *
 *     const leasehold = new Leasehold("http://127.0.0.1:7420");
 *     const lease = await leasehold.acquire("nightly", { ttl: 60_000 });
 *     try {
 *       await lease.raise("bucket/report.pdf"); // from now on, older runs are refused
 *       const report = await makeReport();
 *       await lease.admit("bucket/report.pdf"); // throws Stale if another run has taken over
 *       await upload(report);
 *     } finally {
 *       await lease.release();
 *     }
 *
 * With TypeScript 5.2, `await using lease = await leasehold.acquire(...)` releases it by itself.
 *
 * What is not guaranteed:
 *
 * - The lease may end while your code runs: the process was frozen, or the server could not be
 *   reached. `lease.lost` then says so, `lease.check()` throws, `lease.signal` aborts and `onLost` is
 *   called, but nothing stops your code by itself. A frozen process notices only when it runs again.
 * - Between `admit` and your write there is a window. A target that checks the token in the same
 *   step as the write has none: give it `lease.token`.
 * - The heartbeat is a timer. Code that blocks the event loop stops it.
 * - Tokens are exact up to 2^53.
 */

export interface Transfer {
  token: number;
  attempt: string;
  holder: string;
  reason: "first" | "released" | "expired" | "takeover" | "cancelled" | "recovered";
  note?: string;
  at: string;
}

export interface Grant {
  name: string;
  token: number;
  attempt: string;
  store: string;
  holder: string;
  expiresInMs: number;
  transfer: Transfer;
}

export interface WorkItem {
  name: string;
  key: string;
  state: "open" | "running" | "done" | "failed";
  epoch: number;
  attempts: number;
  checkpoint?: string;
  result?: string;
  error?: string;
}

export interface AcquireOptions {
  /** How long the lease lasts unless it is renewed, in milliseconds. */
  ttl?: number;
  /** How long to wait if it is busy, in milliseconds. */
  wait?: number;
  /** Who asks, for people to read. */
  holder?: string;
  /** Called once, with the reason, when the lease is lost. */
  onLost?: (reason: string) => void;
}

type Fields = Record<string, unknown>;

/** An answer other than success. `problem` is its type, `body` the whole answer. */
export class LeaseholdError extends Error {
  constructor(
    readonly problem: string,
    detail: string,
    readonly body: Fields = {},
  ) {
    super(detail);
    this.name = new.target.name;
  }
}

/** Another holder has the lease. */
export class Busy extends LeaseholdError {}

/** The grant is not current. Nothing was changed; stop working. */
export class Stale extends LeaseholdError {}

/** The call was begun before and has no outcome. Ask the target; do not make it again. */
export class OutcomeUnknown extends LeaseholdError {}

/** No answer: the outcome is unknown. */
export class Unavailable extends LeaseholdError {}

const ERRORS: Record<string, typeof LeaseholdError> = {
  "busy": Busy,
  "stale": Stale,
  "wrong-store": Stale,
  "outcome-unknown": OutcomeUnknown,
  "store-unavailable": Unavailable,
  "overloaded": Unavailable,
  "stopping": Unavailable,
};

/** An id that nobody else draws. Node 18 has no global `crypto`. */
const unique = (): string =>
  typeof crypto === "undefined"
    ? Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 10)).join("-")
    : crypto.randomUUID();

const TRIES = 4;
const MARGIN = 0.1; // of the ttl: trust ends this much before the lease does

/** A moment on two clocks: one may stand still while the machine sleeps, the other may jump. */
type Moment = { steady: number; wall: number };
const now = (): Moment => ({ steady: performance.now(), wall: Date.now() });
const since = (then: Moment): number => Math.max(performance.now() - then.steady, Date.now() - then.wall);

const sleep = (millis: number): Promise<void> => new Promise((done) => setTimeout(done, millis));

/** One or more servers of the same store; the next one is asked if one does not answer. */
export class Leasehold {
  private servers: string[];

  /** The key is what `leasehold keys add` printed. */
  constructor(
    urls: string | string[] = "http://127.0.0.1:7420",
    private readonly options: { key?: string; timeout?: number; insecurePlaintext?: boolean } = {},
  ) {
    this.servers = (Array.isArray(urls) ? urls : [urls]).map((url) => url.replace(/\/+$/, ""));
    const safe = /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$))/;
    if (options.key && !options.insecurePlaintext && !this.servers.every((url) => safe.test(url))) {
      throw new Error("without TLS everybody on the way can read the key: use https:, or insecurePlaintext");
    }
  }

  /** Acquires a lease and renews it in the background. Throws Busy if another holder has it. */
  async acquire(name: string, options: AcquireOptions = {}): Promise<Lease> {
    const ttl = options.ttl ?? 90_000;
    const attempt = unique();
    const call: Fields = { name, ttlMs: ttl, holder: options.holder ?? "typescript-client", attempt };
    if (options.wait) {
      call.waitMs = options.wait;
    }
    try {
      let started = now();
      const grant = await this.call<Grant>("/v1/leases/acquire", call, options.wait);
      if (options.wait) {
        // Trust counts from before the call, which may have waited for longer than the ttl.
        started = now();
        await this.renew(grant, ttl);
      }
      return new Lease(this, grant, ttl, started, options.onLost);
    } catch (e) {
      if (!(e instanceof Busy)) {
        // Give back what may have been granted to a call that got no answer; otherwise it expires.
        await this.call("/v1/leases/abandon", { name, attempt }).catch(() => undefined);
      }
      throw e;
    }
  }

  /** Renews a grant once. `acquire` does this in the background. */
  async renew(grant: Grant, ttlMs: number, tries = TRIES): Promise<void> {
    const { name, token, attempt, store } = grant;
    const answer = await this.call<{ results: Array<Fields & { outcome: string }> }>(
      "/v1/leases/renew",
      { grants: [{ name, token, attempt, store, ttlMs }] },
      0,
      tries,
    );
    const result = answer.results[0];
    if (result.outcome === "unknown") {
      throw new Unavailable("unknown", String(result.detail ?? "the store did not answer"));
    }
    if (result.outcome !== "renewed") {
      throw new Stale("stale", `${name} token ${token}: ${result.outcome}`, result);
    }
  }

  /** Makes one call. It is repeated if no answer arrives: every call here may be. */
  async call<T = Fields>(path: string, body?: Fields, wait = 0, tries = TRIES): Promise<T> {
    for (let number = 1; ; number++) {
      const server = this.servers[0];
      try {
        return (await this.send(server + path, body, wait)) as T;
      } catch (e) {
        if (!(e instanceof Unavailable)) {
          throw e;
        }
        this.servers = [...this.servers.slice(1), server];
        if (number >= tries) {
          throw e;
        }
        await sleep((50 + 150 * Math.random()) * number);
      }
    }
  }

  private async send(url: string, body: Fields | undefined, wait: number): Promise<unknown> {
    let answer: Response;
    let text: string;
    const aborter = new AbortController();
    const timer = setTimeout(() => aborter.abort(), (this.options.timeout ?? 10_000) + wait);
    try {
      answer = await fetch(url, {
        method: body ? "POST" : "GET",
        headers: {
          ...(body ? { "Content-Type": "application/json" } : {}),
          ...(this.options.key ? { Authorization: `Bearer ${this.options.key.trim()}` } : {}),
        },
        body: body ? JSON.stringify(body) : undefined,
        signal: aborter.signal,
      });
      text = await answer.text();
    } catch (e) {
      throw new Unavailable("unreachable", `${url}: ${e}`);
    } finally {
      clearTimeout(timer);
    }
    let json: Fields;
    try {
      json = JSON.parse(text) as Fields;
    } catch {
      throw new Unavailable("not-leasehold", `${url} answered ${answer.status}, not as a Leasehold server`);
    }
    if (answer.ok) {
      return json;
    }
    const problem = String(json.type).replace("urn:leasehold:problem:", "");
    throw new (ERRORS[problem] ?? LeaseholdError)(problem, String(json.detail), json);
  }
}

/** A lease that this process holds. */
export class Lease {
  readonly name: string;
  /** The fencing token. Give it to everything that you write to. */
  readonly token: number;
  private readonly aborter = new AbortController();
  private reason: string | undefined;
  private ended = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly server: Leasehold,
    readonly grant: Grant,
    private readonly ttl: number,
    private renewed: Moment,
    private readonly onLost?: (reason: string) => void,
  ) {
    this.name = grant.name;
    this.token = grant.token;
    this.schedule(ttl / 3);
  }

  /** Why the lease is lost; undefined while it is held. */
  get lost(): string | undefined {
    if (since(this.renewed) >= this.ttl * (1 - MARGIN)) {
      this.lose("it was not renewed in time; this process or its network was paused");
    }
    return this.reason;
  }

  /** Aborts when the lease is lost. Pass it to `fetch` and the like. */
  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** Throws Stale if the lease is lost. Call it between the steps of your work. */
  check(): void {
    const reason = this.lost;
    if (reason !== undefined) {
      throw new Stale("lost", `${this.name} token ${this.token} is lost: ${reason}`);
    }
  }

  /** The header that shows the whole grant to a service of your own. Throws Stale if the lease is lost. */
  headers(): Record<string, string> {
    this.check();
    const { name, token, attempt, store } = this.grant;
    return { "Leasehold-Grant": ["lh1", token, attempt, store, name].join(";") };
  }

  private schedule(millis: number): void {
    this.timer = setTimeout(() => void this.beat(), millis);
  }

  private async beat(): Promise<void> {
    const started = now();
    let next = this.ttl / 3;
    try {
      await this.server.renew(this.grant, this.ttl, 1);
      this.renewed = started;
    } catch (e) {
      if (e instanceof Stale) {
        this.lose(e.message);
      }
      next = Math.min(1000, this.ttl / 10);
    }
    if (!this.ended && this.lost === undefined) {
      this.schedule(next);
    }
  }

  private lose(reason: string): void {
    if (this.reason === undefined && !this.ended) {
      this.reason = reason;
      this.aborter.abort(new Stale("lost", reason));
      this.onLost?.(reason);
    }
  }

  private shown(fields: Fields = {}): Fields {
    const { name, token, attempt, store } = this.grant;
    return { name, token, attempt, store, ...fields };
  }

  async progress(note?: string, checkpoint?: string): Promise<void> {
    await this.server.call("/v1/leases/progress", this.shown({ note, checkpoint }));
  }

  /** Call it before the first read of the work: from then on older tokens are refused. */
  async raise(resource: string): Promise<void> {
    await this.server.call("/v1/fences/raise", this.shown({ resource }));
  }

  /** Throws Stale if this lease may not write to the resource any more. */
  async admit(resource: string): Promise<void> {
    await this.server.call("/v1/fences/admit", this.shown({ resource }));
  }

  /** Admits one write of this lease. False if the same write was admitted before. */
  async admitOnce(resource: string, digest?: string): Promise<boolean> {
    const answer = await this.server.call("/v1/fences/admit-once", this.shown({ resource, digest }));
    return answer.again === false;
  }

  /** Claims a piece of work. If the outcome is `done`, do not do it: the item has its result. */
  async claim(key: string, fingerprint?: string): Promise<{ outcome: "claimed" | "done"; item: WorkItem }> {
    return this.server.call("/v1/work/claim", this.shown({ key, fingerprint }));
  }

  async checkpoint(key: string, checkpoint: string): Promise<void> {
    await this.server.call("/v1/work/checkpoint", this.shown({ key, checkpoint }));
  }

  async complete(key: string, result?: string, effects?: string[]): Promise<void> {
    await this.server.call("/v1/work/complete", this.shown({ key, result, effects }));
  }

  async fail(key: string, error: string): Promise<void> {
    await this.server.call("/v1/work/fail", this.shown({ key, error }));
  }

  /**
   * Makes a call that must not be repeated. `make` gets the id as an idempotency key, and returns
   * what to record of the answer. Throws OutcomeUnknown if the call was begun before and has no
   * outcome. If `make` throws, the outcome is unknown to everybody until it is settled.
   */
  async once(id: string, make: (id: string) => Promise<string | undefined>): Promise<string | undefined> {
    const begun = await this.server.call<{ state: string; note?: string }>("/v1/once/begin", this.shown({ id }), 0, 1);
    if (begun.state === "made") {
      return begun.note;
    }
    const note = await make(id);
    await this.server.call("/v1/once/made", this.shown({ id, note }));
    return note;
  }

  /** Records the outcome of a call that was unknown, after you have asked the target. */
  async settle(id: string, made: boolean, note?: string): Promise<void> {
    await this.server.call("/v1/once/settle", this.shown({ id, made, note }));
  }

  /** Gives the lease back. Harmless if it is lost or was given back before. */
  async release(): Promise<void> {
    if (this.ended) {
      return;
    }
    this.ended = true;
    clearTimeout(this.timer);
    try {
      await this.server.call("/v1/leases/release", this.shown());
    } catch (e) {
      if (!(e instanceof Stale || e instanceof Unavailable)) {
        throw e;
      }
      // Another run has it, or it expires.
    }
  }
}

// `await using` needs a symbol that older systems do not have.
const dispose: symbol | undefined = (Symbol as unknown as { asyncDispose?: symbol }).asyncDispose;
if (dispose) {
  Object.defineProperty(Lease.prototype, dispose, { value: Lease.prototype.release });
}
