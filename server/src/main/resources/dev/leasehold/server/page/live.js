// The stream of events, continued after each interruption where it ended.

import { answer, headers, Problem } from './api.js';
import { storeNow } from './time.js';

const SILENCE = 20_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5000;
const HIDDEN = 60_000;

/** Listens until it is stopped. An EventSource could not send the key in a header. */
export class Live {
  #position;
  #handlers;
  #abort = new AbortController();
  #stopped = false;
  #hidden = 0;
  #wake = () => {};
  state = { live: false, since: storeNow(), why: 'connecting' };

  /** @param handlers event(event), state(state), resumed() */
  constructor(from, handlers) {
    this.#position = from;
    this.#handlers = handlers;
    document.addEventListener('visibilitychange', this.#seen);
    addEventListener('online', this.#seen);
    this.#seen();
    this.#run();
  }

  stop() {
    this.#stopped = true;
    document.removeEventListener('visibilitychange', this.#seen);
    removeEventListener('online', this.#seen);
    clearTimeout(this.#hidden);
    this.#abort.abort();
    this.#wake();
  }

  /** A browser has few connections to a server: a tab that nobody sees leaves its own to others, and continues later. */
  #seen = () => {
    clearTimeout(this.#hidden);
    if (document.hidden) this.#hidden = setTimeout(() => this.#abort.abort(), HIDDEN);
    else this.#wake();
  };

  #say(live, why = '') {
    if (this.#stopped || (this.state.live === live && this.state.why === why)) return;
    const since = this.state.live === live ? this.state.since : storeNow();
    const again = live && !this.state.live;
    this.state = { live, since, why };
    this.#handlers.state(this.state);
    if (again) this.#handlers.resumed();
  }

  async #run() {
    let pause = FIRST_PAUSE;
    while (!this.#stopped) {
      let wanted = 0;
      try {
        await this.#listen(() => { pause = FIRST_PAUSE; });
        this.#say(false, 'the server ended the stream');
      } catch (e) {
        if (this.#stopped || e.status === 401) return;
        wanted = e.pause ?? 0;
        this.#say(false, e instanceof Problem ? e.message : document.hidden ? 'this tab was not in view' : 'the server does not answer');
      }
      await this.#sleep(Math.max(pause, wanted));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }

  /** Until the time is over and somebody looks, or somebody looks again. */
  async #sleep(ms) {
    const woken = new Promise((done) => { this.#wake = done; });
    await Promise.race([woken, new Promise((done) => setTimeout(done, ms))]);
    if (document.hidden && !this.#stopped) await woken;
  }

  async #listen(heard) {
    this.#abort = new AbortController();
    let watch = 0;
    const alive = () => {
      clearTimeout(watch);
      watch = setTimeout(() => this.#abort.abort(), SILENCE);
    };
    alive();
    try {
      const response = await fetch('/v1/events', {
        headers: { ...headers(), ...(this.#position ? { 'Last-Event-ID': this.#position } : {}) },
        cache: 'no-store', redirect: 'error', signal: this.#abort.signal,
      });
      if (!response.ok) await answer(response);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        alive();
        const blocks = (rest + value).split('\n\n');
        rest = blocks.pop();
        blocks.forEach((block) => this.#take(block, heard));
      }
    } finally {
      clearTimeout(watch);
    }
  }

  #take(block, heard) {
    let id;
    let data = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) id = line.slice(4);
      if (line.startsWith('data: ')) data += line.slice(6);
    }
    if (data) this.#handlers.event(JSON.parse(data));
    if (id) {
      this.#position = id;
      heard();
      this.#say(true);
    }
  }
}
