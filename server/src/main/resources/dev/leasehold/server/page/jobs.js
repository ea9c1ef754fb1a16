// Scheduled jobs: what is next, what runs, and how the last slots ended.

import { get } from './api.js';
import * as actions from './actions.js';
import { el, replace, throttled } from './dom.js';
import { bySlot, durations, strip } from './job-charts.js';
import { adviceWords } from './lease.js';
import { chip, damage, empty, failure, leaseLink, table, token } from './parts.js';
import { duration, scheduled, sentence, storeNow, time } from './time.js';
import { SLOT_TONE } from './words.js';

const OUTCOMES = 100;

export function jobsView(root, parameters, state) {
  const list = el('div', { class: 'jobs scrolled fill' });
  const broken = el('div');
  const cards = new Map();
  const input = el('input', { type: 'search', value: parameters.get('q') ?? '', placeholder: 'Search jobs', 'aria-label': 'Search jobs', spellcheck: 'false', autocomplete: 'off' });
  root.append(el('h1', { class: 'hidden' }, 'Jobs'), el('div', { class: 'tools' }, input, legend()), broken, list);
  let closed = false;
  const sight = new IntersectionObserver((found) => found.forEach((one) => { if (one.isIntersecting) cards.get(one.target.dataset.name)?.load(); }), { rootMargin: '300px' });

  async function load() {
    let jobs;
    let damaged;
    try {
      ({ jobs, damaged } = await get('/v1/jobs'));
    } catch (e) {
      if (!closed && !cards.size && e.status !== 401) replace(list, failure(e, load));
      return;
    }
    if (closed) return;
    const key = JSON.stringify(damaged ?? null);
    if (broken.dataset.shown !== key) replace(broken, damage(damaged));
    broken.dataset.shown = key;
    if (!jobs.length) {
      replace(list, empty('No scheduled jobs', 'A job appears here when a machine runs it on a schedule:', 'leasehold up -f leasehold.yaml'));
      return;
    }
    jobs.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
    for (const job of jobs) {
      if (!cards.has(job.name)) {
        const card = new Card(job, state, load);
        cards.set(job.name, card);
        sight.observe(card.element);
      } else if (cards.get(job.name).isOld(job)) {
        cards.get(job.name).load();
      }
    }
    show(jobs);
  }

  function show(jobs) {
    const text = input.value.trim().toLowerCase();
    const wanted = [...(jobs ? jobs.map((job) => job.name) : cards.keys())].filter((name) => name.toLowerCase().includes(text));
    const elements = wanted.map((name) => cards.get(name).element);
    const same = elements.length === list.children.length && elements.every((element, i) => list.children[i] === element);
    if (!same && !list.contains(document.activeElement)) replace(list, elements.length ? elements : empty('No job fits', 'Change the search.'));
  }

  const soon = throttled(600, load);
  const heard = ({ detail: event }) => { if (['slot', 'paused', 'resumed', 'started', 'skipped', 'acquired', 'ended'].includes(event.type)) { cards.get(event.name)?.load(); soon(); } };
  input.addEventListener('input', () => show());
  state.addEventListener('touched', heard);
  const looking = setInterval(() => { if (!document.hidden && !document.querySelector('dialog')) load(); }, 10_000);
  load();
  return { close: () => { closed = true; clearInterval(looking); sight.disconnect(); state.removeEventListener('touched', heard); } };
}

const isRunning = (job) => job.open.some((slot) => slot.state === 'running');
const rank = (job) => (job.overdueMs > 0 ? 0 : job.outcomes[0]?.outcome === 'failed' ? 1 : isRunning(job) ? 2 : job.paused ? 4 : 3);

function legend() {
  return el('p', { class: 'legend' }, ['ran', 'skipped', 'dropped', 'failed', 'overdue', 'running'].map((word) =>
    el('span', { class: 'key' }, el('i', { class: `sample slot ${word}`, 'aria-hidden': 'true' }), word)));
}

/** One job. It is read completely when it comes into view. */
class Card {
  #state;
  #job;
  #reload;
  #loading = false;
  #whole = false;
  #body = el('div', { class: 'job-body' });
  #more = el('div', { class: 'job-more' });
  #details;
  element;

  constructor(job, state, reload) {
    this.#state = state;
    this.#job = job;
    this.#reload = reload;
    this.#details = el('details', { on: { toggle: () => this.#showMore() } }, el('summary', {}, 'Durations, outcomes and advice'), this.#more);
    this.element = el('article', { class: 'panel job', 'data-name': job.name, 'aria-label': `Job ${job.name}` }, this.#body, this.#details);
    this.#show();
  }

  isOld(job) {
    return JSON.stringify([job.next, job.open, job.paused, job.outcomes[0]]) !== JSON.stringify([this.#job.next, this.#job.open, this.#job.paused, this.#job.outcomes[0]]);
  }

  async load() {
    if (this.#loading) return;
    this.#loading = true;
    try {
      this.#job = await get('/v1/jobs/one', { name: this.#job.name, limit: OUTCOMES });
      this.#whole = true;
      this.#show();
      if (this.#details.open) this.#showMore();
    } catch { /* The list says that the server does not answer. */ } finally {
      this.#loading = false;
    }
  }

  #show() {
    const job = this.#job;
    const last = job.outcomes[0];
    const act = (what, word) => el('button', { type: 'button', 'data-act': what, on: { click: () => actions[what](job, () => { this.load(); this.#reload(); }) } }, word);
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    replace(this.#body,
      el('div', { class: 'job-head' }, el('h2', {}, leaseLink(job.name)), this.#chips(),
        this.#state.mayChange && el('div', { class: 'buttons' }, act('runNow', 'Run now'), job.paused ? act('resume', 'Resume') : act('pause', 'Pause'))),
      el('p', { class: 'job-when' }, job.schedule && el('code', {}, job.schedule), job.zone && ` ${job.zone}`,
        job.next && [job.paused ? ' · not run until it is resumed; it would be due ' : ' · next ', scheduled(job.next, job.zone)],
        job.paused && [' · paused ', time(job.paused.since), ` by ${job.paused.by}: ${job.paused.reason}`]),
      job.open.map((slot) => el('p', { class: 'job-open' }, chip(slot.state, 'accent'), ' slot ', scheduled(slot.slot, job.zone), slot.holder && [` on ${slot.holder} `, token(slot.token)], slot.since && ` for ${duration(storeNow() - Date.parse(slot.since))}`, slot.startedBy && ` · started by ${slot.startedBy}`)),
      this.#whole ? strip(job) : el('div', { class: 'strip-space' }),
      last && el('p', { class: 'job-last' }, 'Last slot ', scheduled(last.slot, job.zone), ' ', chip(last.outcome, SLOT_TONE[last.outcome]), last.reason && [' ', sentence(last.reason)], last.durationMs > 0 && ` · took ${duration(last.durationMs)}`));
    if (focused) this.#body.querySelector(`[data-act="${focused}"]`)?.focus();
  }

  #chips() {
    const job = this.#job;
    return el('span', { class: 'chips' },
      job.overdueMs > 0 && chip(`overdue ${duration(job.overdueMs)}`, 'warn', 'A slot was due and has neither run nor been dropped.'),
      isRunning(job) && chip('running', 'accent'), job.paused && chip('paused', 'calm'));
  }

  /** What the lease of the job was last given. A lease that was given back has none. */
  #ttl() {
    const lease = this.#state.leases.get(this.#job.name);
    return lease?.state === 'held' || lease?.state === 'expired' ? lease.termMs : undefined;
  }

  async #showMore() {
    if (!this.#details.open) return;
    let advice = null;
    try { ({ advice } = await get('/v1/leases/explain', { name: this.#job.name })); } catch { /* The chart is drawn without it. */ }
    // Read now: the whole job may have arrived while the advice was asked for.
    const job = this.#job;
    replace(this.#more, durations(job, advice?.ttlMs ?? this.#ttl(), this.#more.clientWidth), advice && el('div', { class: 'explain' }, adviceWords(advice)),
      table(`Outcomes of ${job.name}`, [
        ['Slot', (one) => scheduled(one.slot), 'nowrap'], ['Outcome', (one) => chip(one.outcome, SLOT_TONE[one.outcome])], ['Took', (one) => (one.durationMs ? duration(one.durationMs) : ''), 'num'],
        ['Token', (one) => (one.token === undefined ? '' : token(one.token)), 'num'], ['Tries', (one) => String(one.attempt), 'num'],
        ['Reason', (one) => [one.slots > 1 && `${one.slots} slots together: `, sentence(one.reason)], 'wide'],
      ], bySlot(job).reverse().slice(0, 25)));
  }
}

