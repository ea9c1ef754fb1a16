// What needs attention: what is wrong now, and what went wrong in the last day.

import { get } from './api.js';
import { el, replace, throttled } from './dom.js';
import { leaseLink, token } from './parts.js';
import { duration, sentence, storeNow, time } from './time.js';
import { HEALTH, health } from './words.js';

const DAY = 24 * 3_600_000;
const LATE = 60_000;
const narrow = matchMedia('(max-width: 760px)');
const most = () => (narrow.matches ? 5 : 7);
const MOST_GONE = 2;
const OFTEN = 30_000;
const GONE = {
  silent: 'has not renewed before its deadline, by the clock of the server',
  dead: 'stopped renewing and did not give the lease back; nobody has taken it since',
};

/** A list that reads by itself what the stream of events does not tell: failed work and overdue jobs. */
export class Attention {
  #state;
  #work = [];
  #jobs = [];
  #damaged = [];
  #all = false;
  #shown = '';
  #timer = 0;
  #closed = false;
  #draw = throttled(300, () => this.#show());
  #soon = throttled(3000, () => this.#read());
  element = el('section', { class: 'attention', 'aria-label': 'What needs attention', hidden: true });

  constructor(state) {
    this.#state = state;
    state.addEventListener('leases', this.#draw);
    state.addEventListener('alerts', this.#draw);
    state.addEventListener('touched', this.#heard);
    this.#show();
    this.#read();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#state.removeEventListener('leases', this.#draw);
    this.#state.removeEventListener('alerts', this.#draw);
    this.#state.removeEventListener('touched', this.#heard);
  }

  #heard = ({ detail: event }) => { if (['slot', 'ended', 'lost'].includes(event.type)) this.#soon(); };

  async #read() {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    const begun = performance.now();
    if (!document.hidden) {
      try {
        const [work, jobs] = await Promise.all([get('/v1/work/all', { state: 'failed', limit: 200 }), get('/v1/jobs')]);
        this.#work = work.items;
        this.#jobs = jobs.jobs.filter((job) => job.overdueMs > LATE && !job.paused).map((job) => ({ ...job, due: new Date(storeNow() - job.overdueMs).toISOString() }));
        this.#damaged = [...(work.damaged ?? []), ...(jobs.damaged ?? [])];
        this.#draw();
      } catch { /* The notice says that the server does not answer. */ }
    }
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => this.#read(), Math.max(OFTEN, 20 * (performance.now() - begun)));
  }

  /** What is wrong now first, then what happened, newest first. The same trouble of one name is one line. */
  #troubles() {
    const found = new Map();
    const add = (trouble) => {
      const key = `${trouble.word} ${trouble.name}`;
      if (found.has(key)) found.get(key).times++; else found.set(key, { times: 1, ...trouble });
    };
    for (const [name, detail] of this.#state.damaged) add({ tone: 'bad', word: 'damaged', name, detail });
    this.#damaged.forEach((detail) => found.set(detail, { tone: 'bad', word: 'damaged', times: 1, detail }));
    for (const lease of this.#state.leases.values()) if (health(lease) === 'stuck') add(stuck(lease));
    this.#jobs.forEach((job) => add({ tone: 'warn', word: 'overdue', name: job.name, href: '#/jobs', at: job.due, detail: `a slot was due ${duration(minutes(job.overdueMs))} ago and has not begun: is a machine running?` }));
    [...this.#work].sort((one, other) => (one.since < other.since ? 1 : -1)).forEach((item) => add({ tone: 'bad', word: 'failed work', name: item.name, href: '#/work?state=failed', at: item.since, token: item.token, detail: `${item.key}: ${item.error ?? 'no reason is recorded'}` }));
    const kinds = [...found.values()];
    const since = storeNow() - DAY;
    this.#state.alerts.filter((event) => event.word !== 'gap' && Date.parse(event.at) > since)
      .forEach((event) => add({ ...event, detail: event.detail ? `${event.says}: ${event.detail}` : event.says }));
    const events = [...found.values()].slice(kinds.length);
    return [...kinds, ...events.slice(0, 1000), ...this.#gone('silent', since, found), ...this.#gone('dead', since, found)];
  }

  /** Many leases may end so, of which few matter. */
  #gone(word, since, found) {
    const { tone } = HEALTH[word];
    const gone = [...this.#state.leases.values()].filter((lease) => health(lease) === word && Date.parse(lease.deadline) > since && !found.has(`lost ${lease.name}`))
      .sort((one, other) => (one.deadline < other.deadline ? 1 : -1));
    const shown = gone.length > MOST_GONE + 1 ? gone.slice(0, MOST_GONE) : gone;
    const lines = shown.map((lease) => ({ tone, word, name: lease.name, token: lease.token, at: lease.deadline, times: 1, detail: `${lease.holder} ${GONE[word]}` }));
    return shown.length === gone.length ? lines : [...lines, { tone, word, others: gone.length - shown.length, at: gone[shown.length].deadline, times: 1, detail: 'more leases ended so in the last 24 hours' }];
  }

  #show() {
    if (this.#closed) return;
    const items = this.#troubles();
    const shown = this.#all ? items.slice(0, 100) : items.slice(0, most());
    const rest = items.length - shown.length;
    const key = JSON.stringify([rest, shown.map((item) => [item.name, item.word, item.at?.slice(0, 19), item.times, item.detail, item.others])]);
    if (this.#shown === key) return;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.#shown = key;
    this.element.hidden = !items.length;
    replace(this.element, el('h2', {}, 'Needs attention', el('span', { class: 'hint' }, ' now and in the last 24 hours')),
      el('ul', {}, shown.map(line)),
      (rest > 0 || this.#all) && items.length > most() && el('p', {}, el('button', { type: 'button', class: 'quiet', 'data-key': 'more', 'aria-expanded': String(this.#all), on: { click: () => { this.#all = !this.#all; this.#show(); } } },
        this.#all ? 'Show fewer' : `Show ${rest} more`), this.#all && rest > 0 && el('span', { class: 'hint' }, ` and ${rest} others`)));
    if (focused) [...this.element.querySelectorAll('[data-key]')].find((one) => one.dataset.key === focused)?.focus();
  }
}

const stuck = (lease) => ({ tone: 'warn', word: 'stuck', name: lease.name, at: lease.progress.at, token: lease.token,
  detail: `${lease.holder} renews, but has made no progress for ${duration(Math.max(lease.termMs, minutes(storeNow() - Date.parse(lease.progress.at))))} (ttl ${duration(lease.termMs)})${lease.progress.note ? `; last: ${lease.progress.note}` : ''}` });

const minutes = (ms) => Math.floor(ms / LATE) * LATE;

function line(item) {
  const link = !item.name && !item.others ? el('span') : item.others ? el('a', { class: 'name', href: `#/leases?health=${item.word}` }, `${item.others} more`) : leaseLink(item.name);
  if (item.href) link.setAttribute('href', item.href);
  link.dataset.key = `${item.word} ${item.name ?? ''}`;
  return el('li', {}, el('span', { class: `chip ${item.tone}` }, item.word), link,
    el('span', { class: 'at-token' }, item.token !== undefined && token(item.token)),
    el('span', { class: 'what', title: item.detail }, item.times > 1 && `${item.times} times, last: `, sentence(item.detail)),
    item.at ? time(item.at) : el('span'));
}
