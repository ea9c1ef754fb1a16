// The stream of events, continued after each interruption where it ended.

import { answer, headers, Problem } from './api.js';

const SILENCE = 20_000;
const LONGEST_PAUSE = 10_000;

/** Listens until it is stopped. An EventSource could not send the key in a header. */
export class Live {
  #position;
  #handlers;
  #abort = new AbortController();
  #stopped = false;
  state = { live: false, since: Date.now(), why: '' };

  /** @param handlers event(event), state(state), resumed() */
  constructor(from, handlers) {
    this.#position = from;
    this.#handlers = handlers;
    this.#run();
  }

  stop() {
    this.#stopped = true;
    this.#abort.abort();
  }

  #say(live, why = '') {
    if (this.#stopped || (this.state.live === live && this.state.why === why)) return;
    const since = this.state.live === live ? this.state.since : Date.now();
    const again = live && !this.state.live;
    this.state = { live, since, why };
    this.#handlers.state(this.state);
    if (again) this.#handlers.resumed();
  }

  async #run() {
    let pause = 500;
    while (!this.#stopped) {
      try {
        await this.#listen(() => { pause = 500; });
        this.#say(false, 'the server ended the stream');
      } catch (e) {
        if (this.#stopped) return;
        if (e instanceof Problem && (e.status === 401 || e.status === 403)) {
          this.#say(false, e.message);
          return;
        }
        this.#say(false, e instanceof Problem ? e.message : 'the server does not answer');
      }
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
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
