// What the page knows: the leases, the notable events, and who looks.

import { get } from './api.js';
import { Live } from './live.js';
import { storeClockSays, storeNow } from './time.js';
import { alert } from './words.js';

const DAY = 24 * 3600 * 1000;
const MOST_ALERTS = 200;
const LONGEST_QUERY = 5000;
const MOST_NAMES = 100;
const PAGE = 500;
const SOON = 2000;
const MOST_PAUSES = 60;

/** The one store of the page. It tells 'leases', 'alerts', 'live' and, for a name, 'touched'. */
export class State extends EventTarget {
  access = null;
  leases = new Map();
  alerts = [];
  /** The leases whose records cannot be read, with the reason. */
  damaged = new Map();
  live = { live: false, since: storeNow(), why: 'connecting' };
  loaded = false;
  failed = null;
  #wanted = new Set();
  #asking = false;
  #stream = null;
  #reloading = null;
  #timer = 0;
  #known = new Set();

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  async start() {
    this.access = await get('/v1/access');
    storeClockSays(this.access.at);
    this.live = { ...this.live, since: storeNow() };
    this.reload().catch((problem) => { this.failed = problem; this.#tell('leases'); });
    this.#stream = new Live(String(Math.floor(storeNow() - DAY) * 1000), {
      event: (event) => this.#heard(event),
      state: (state) => { this.live = state; this.#tell('live'); },
      resumed: () => this.reload().catch(() => {}),
    });
  }

  stop() {
    this.#stream?.stop();
    clearTimeout(this.#timer);
    this.leases.clear();
    this.damaged.clear();
    this.alerts = [];
    this.access = null;
  }

  get mayChange() {
    return this.access?.role === 'operator';
  }

  #keep(lease) {
    storeClockSays(lease.readAt ?? lease.at);
    const known = this.leases.get(lease.name);
    if (known && known.at > lease.at) return;
    lease.measured = performance.now();
    this.leases.set(lease.name, lease);
  }

  /** Reads all leases again. What is gone meanwhile is left out. */
  reload() {
    this.#reloading ??= this.#readAll().finally(() => { this.#reloading = null; });
    return this.#reloading;
  }

  async #readAll() {
    const begun = performance.now();
    let pause = SOON;
    try {
      await this.#readPages();
      pause = Math.max(30_000, 20 * (performance.now() - begun));
    } finally {
      clearTimeout(this.#timer);
      if (this.access) this.#timer = setTimeout(() => this.reload().catch(() => {}), pause);
    }
  }

  async #readPages() {
    const seen = new Set();
    const damaged = new Map();
    const begun = performance.now();
    let told = 0;
    let after;
    do {
      const page = await patiently(() => this.#readPage(after, damaged));
      page.leases.forEach((lease) => { seen.add(lease.name); this.#keep(lease); });
      after = page.next;
      if (performance.now() - told > 300) { told = performance.now(); this.#tell('leases'); }
    } while (after);
    this.damaged = damaged;
    for (const [name, lease] of this.leases) if (!seen.has(name) && lease.measured < begun) this.leases.delete(name);
    this.loaded = true;
    this.failed = null;
    this.#tell('leases');
  }

  /** A record that cannot be read must not hide the others. */
  async #readPage(after, damaged) {
    try {
      return await get('/v1/leases', { limit: PAGE, after });
    } catch (problem) {
      if (!problem.isDamage) throw problem;
      const { names, next } = await get('/v1/leases/names', { limit: MOST_NAMES / 4, after });
      return { leases: await this.#readable(names, damaged), next };
    }
  }

  async #readable(names, damaged) {
    if (!names.length) return [];
    try {
      return (await get('/v1/leases', { names: names.join(',') })).leases;
    } catch (problem) {
      if (!problem.isDamage) throw problem;
      if (names.length === 1) { damaged.set(names[0], problem.message); return []; }
      const half = names.length >> 1;
      return [...await this.#readable(names.slice(0, half), damaged), ...await this.#readable(names.slice(half), damaged)];
    }
  }

  /** Milliseconds until the lease ends, by the store's clock; negative if it should have been renewed. */
  left(lease) {
    return lease.expiresInMs - (performance.now() - lease.measured);
  }

  /** Reads these leases again soon, together with others. */
  want(names) {
    names.forEach((name) => this.#wanted.add(name));
    if (!this.#asking && this.#wanted.size) {
      this.#asking = true;
      setTimeout(() => this.#ask(), 150);
    }
  }

  async #ask() {
    try {
      while (this.#wanted.size) {
        const batch = [];
        let length = 0;
        for (const name of this.#wanted) {
          length += name.length * 3;
          if (length > LONGEST_QUERY || batch.length === MOST_NAMES) break;
          batch.push(name);
        }
        batch.forEach((name) => this.#wanted.delete(name));
        const { leases } = await get('/v1/leases', { names: batch.join(',') });
        leases.forEach((lease) => this.#keep(lease));
        this.#tell('leases');
      }
    } catch {
      this.#wanted.clear();
    } finally {
      this.#asking = false;
    }
  }

  #heard(event) {
    const found = alert(event);
    if (found && !this.#known.has(event.id)) {
      this.#known.add(event.id);
      this.alerts.unshift({ ...event, ...found });
      this.alerts.sort((one, other) => (one.at < other.at ? 1 : -1));
      this.alerts.splice(MOST_ALERTS).forEach((old) => this.#known.delete(old.id));
      this.#tell('alerts');
    }
    // What happened long ago is in the list already.
    if (storeNow() - Date.parse(event.at) < 60_000) this.want([event.name]);
    this.#tell('touched', event);
  }
}

/** Many pages may be more calls than a server allows in a second. */
async function patiently(call) {
  for (let i = 0; ; i++) {
    try {
      return await call();
    } catch (problem) {
      if (problem.status !== 429 || i === MOST_PAUSES) throw problem;
      await new Promise((done) => setTimeout(done, Math.max(1000, problem.pause)));
    }
  }
}
