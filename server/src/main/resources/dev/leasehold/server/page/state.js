// What the page knows: the leases, the notable events, and who looks.

import { get, pages } from './api.js';
import { Live } from './live.js';
import { storeClockSays, storeNow } from './time.js';
import { alert } from './words.js';

const DAY = 24 * 3600 * 1000;
const MOST_ALERTS = 200;
const LONGEST_QUERY = 5000;
const MOST_NAMES = 100;

/** The one store of the page. It tells 'leases', 'alerts', 'live' and, for a name, 'touched'. */
export class State extends EventTarget {
  access = null;
  leases = new Map();
  alerts = [];
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
    this.alerts = [];
    this.access = null;
  }

  get mayChange() {
    return this.access?.role === 'operator';
  }

  #keep(lease) {
    storeClockSays(lease.at);
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
    try {
      await this.#readPages();
    } finally {
      clearTimeout(this.#timer);
      const pause = Math.max(30_000, 20 * (performance.now() - begun));
      if (this.access) this.#timer = setTimeout(() => this.reload().catch(() => {}), pause);
    }
  }

  async #readPages() {
    const seen = new Set();
    const begun = performance.now();
    let told = 0;
    await pages('/v1/leases', {}, 'leases', (page) => {
      page.forEach((lease) => { seen.add(lease.name); this.#keep(lease); });
      if (performance.now() - told > 300) { told = performance.now(); this.#tell('leases'); }
    });
    for (const [name, lease] of this.leases) if (!seen.has(name) && lease.measured < begun) this.leases.delete(name);
    this.loaded = true;
    this.failed = null;
    this.#tell('leases');
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
