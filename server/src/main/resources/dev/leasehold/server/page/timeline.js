// Who held what when: one row for each lease, over one range of time.

import { get } from './api.js';
import { axis, lane, patterns, sample } from './chart.js';
import { el, replace, setText, throttled } from './dom.js';
import { ownership } from './ownership.js';
import { choice, empty, leaseLink, table, token } from './parts.js';
import { duration, minuteTime, storeNow, time, when } from './time.js';
import { health } from './words.js';

const HOUR = 3_600_000;
const ROWS = 25;

function night() {
  const morning = new Date(storeNow());
  morning.setHours(8, 0, 0, 0);
  const evening = new Date(morning);
  evening.setDate(evening.getDate() - 1);
  evening.setHours(18, 0, 0, 0);
  return { from: evening.getTime(), to: Math.max(morning.getTime(), evening.getTime() + HOUR) };
}

/** The last hours, and a little room after now for what is promised. */
const upToNow = (hours) => ({ from: storeNow() - hours * HOUR, to: storeNow() + (hours * HOUR) / 20, follow: true });

const RANGES = {
  hour: ['Last hour', () => upToNow(1)],
  night: ['Last night', night],
  day: ['24 hours', () => upToNow(24)],
  week: ['Week', () => upToNow(7 * 24)],
};

export function timelineView(root, parameters, state) {
  const filter = { text: parameters.get('name') ?? parameters.get('prefix') ?? '' };
  let shown = ROWS;
  const input = el('input', { type: 'search', value: filter.text, placeholder: 'Name or prefix', 'aria-label': 'Name or prefix', spellcheck: 'false', autocomplete: 'off' });
  const chart = el('div', { class: 'fill scrolled' });
  const plot = new Plot(state, RANGES[parameters.get('range')] ? parameters.get('range') : 'day');
  input.addEventListener('input', throttled(200, () => { filter.text = input.value.trim(); show(); }));
  root.append(el('h1', { class: 'hidden' }, 'Timeline'),
    el('div', { class: 'tools' }, input, plot.controls), chart, legend());

  function show() {
    const names = [...state.leases.values()].filter((lease) => lease.name.startsWith(filter.text) || lease.name.includes(filter.text))
      .sort((one, other) => rank(one) - rank(other) || (latest(one) < latest(other) ? 1 : -1)).map((lease) => lease.name);
    if (!names.length) {
      replace(chart, !state.loaded ? el('p', { class: 'loading', role: 'status' }, 'Reading the leases') : empty('Nothing to draw', state.leases.size ? 'No lease has a name like that.' : 'A lease appears here as soon as somebody takes it.', state.leases.size ? undefined : 'leasehold run nightly -- ./backup.sh'));
      return;
    }
    plot.names = names.slice(0, shown);
    replace(chart, plot.element, names.length > shown && el('p', { class: 'more' }, el('button', { type: 'button', on: { click: () => { shown += ROWS; show(); } } }, `Show more of ${names.length} leases`)));
  }

  // What went wrong comes first.
  const troubled = new Set(state.alerts.filter((event) => event.tone === 'bad').map((event) => event.name));
  const rank = (lease) => (troubled.has(lease.name) || ['stuck', 'silent'].includes(health(lease)) ? 0 : 1);
  const latest = (lease) => touched.get(lease.name) ?? lease.owner.at;
  const touched = new Map();
  state.alerts.forEach((event) => { if (!touched.has(event.name) || touched.get(event.name) < event.at) touched.set(event.name, event.at); });
  const heard = ({ detail: event }) => {
    touched.set(event.name, event.at);
    if (!state.leases.has(event.name) || !plot.knows(event.name)) soon(); else plot.refresh(event.name);
  };
  const soon = throttled(800, show);
  const grown = () => { if (!plot.size || !state.loaded) soon(); };
  state.addEventListener('leases', grown);
  state.addEventListener('touched', heard);
  show();
  return { close: () => { plot.close(); state.removeEventListener('touched', heard); state.removeEventListener('leases', grown); } };
}

/** Rows of leases over one range, which can be moved and zoomed. */
export class Plot {
  #state;
  #rows = new Map();
  #timer;
  #sight;
  #drag = null;
  #now = storeNow();
  #ranges;
  #upToNow;
  range;
  element;
  controls;
  #drawn = el('p', { class: 'drawn' });
  #axis = el('div', { class: 'axis-row' }, el('div', { class: 'label' }), el('div', { class: 'plot' }));

  constructor(state, range, fixed) {
    this.#state = state;
    this.range = fixed ?? (RANGES[range] ?? RANGES.day)[1]();
    this.element = el('div', { class: 'timeline', tabindex: '0', role: 'group', 'aria-label': 'Timeline. Arrow keys move it, plus and minus zoom.' }, patterns(), this.#axis);
    const button = (text, label, act) => el('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, on: { click: act } }, text);
    this.#ranges = choice('Range', Object.entries(RANGES).map(([key, [word]]) => [key, word]), fixed ? '' : range, (key) => this.#use(RANGES[key][1]()));
    this.#upToNow = button('Now', 'Up to now', () => this.#toNow());
    this.controls = el('div', { class: 'controls' }, this.#drawn, this.#ranges,
      el('div', { class: 'choice', role: 'group', 'aria-label': 'Move' },
        button('\u2190', 'Earlier', () => this.#pan(-0.25)), button('\u2212', 'Zoom out', () => this.#zoom(1.6)),
        button('+', 'Zoom in', () => this.#zoom(1 / 1.6)), button('\u2192', 'Later', () => this.#pan(0.25)),
        this.#upToNow));
    this.#listen();
    this.#sight = new IntersectionObserver((found) => found.forEach((one) => { if (one.isIntersecting) this.#load(one.target.dataset.name); }), { rootMargin: '200px' });
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.#timer = setInterval(() => { this.#now = storeNow(); if (this.range.follow) this.#follow(); this.draw(); }, 1000);
  }

  close() {
    clearInterval(this.#timer);
    this.#sight.disconnect();
  }

  #use(range) {
    this.range = range;
    this.draw();
  }

  /** A range that is none of the usual ones. */
  #useOwn(range) {
    this.#ranges.querySelectorAll('button').forEach((button) => button.setAttribute('aria-pressed', 'false'));
    this.#use(range);
  }

  #follow() {
    const length = this.range.to - this.range.from;
    const to = storeNow() + length / 21;
    this.range = { from: to - length, to, follow: true };
  }

  #toNow() {
    this.range.follow = true;
    this.#follow();
    this.draw();
  }

  #pan(part) {
    const by = (this.range.to - this.range.from) * part;
    this.#useOwn({ from: this.range.from + by, to: this.range.to + by });
  }

  #zoom(factor, around = 0.5) {
    const length = this.range.to - this.range.from;
    const wanted = Math.min(60 * 24 * HOUR, Math.max(5000, length * factor));
    const fixed = this.range.from + length * around;
    this.#useOwn({ from: fixed - wanted * around, to: fixed + wanted * (1 - around) });
  }

  #listen() {
    this.element.addEventListener('keydown', (event) => {
      const act = { ArrowLeft: () => this.#pan(-0.1), ArrowRight: () => this.#pan(0.1), '+': () => this.#zoom(1 / 1.4), '=': () => this.#zoom(1 / 1.4), '-': () => this.#zoom(1.4), '0': () => this.#toNow() }[event.key];
      if (act && !event.ctrlKey && !event.metaKey) { event.preventDefault(); act(); }
    });
    this.element.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const box = this.#axis.lastChild.getBoundingClientRect();
      if (event.shiftKey) this.#pan((event.deltaY || event.deltaX) / 1500);
      else this.#zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
    }, { passive: false });
    this.element.addEventListener('pointerdown', (event) => {
      if (event.button === 0 && event.target.closest('svg') && event.pointerType === 'mouse') this.#drag = { x: event.clientX, from: this.range.from, to: this.range.to };
    });
    addEventListener('pointermove', (event) => {
      if (!this.#drag || !this.element.isConnected) return;
      const by = ((this.#drag.x - event.clientX) * (this.#drag.to - this.#drag.from)) / this.#width();
      if (Math.abs(this.#drag.x - event.clientX) > 3) this.#useOwn({ from: this.#drag.from + by, to: this.#drag.to + by });
    });
    addEventListener('pointerup', () => { this.#drag = null; });
  }

  get size() {
    return this.#rows.size;
  }

  knows(name) {
    return this.#rows.has(name);
  }

  set names(names) {
    const before = this.#rows;
    this.#rows = new Map(names.map((name) => [name, before.get(name) ?? this.#row(name)]));
    replace(this.element, patterns(), this.#axis, [...this.#rows.values()].map((row) => row.element));
    this.draw();
  }

  #row(name) {
    const plot = el('div', { class: 'plot' });
    const holder = el('span', { class: 'holder' });
    const element = el('div', { class: 'lease-row', 'data-name': name }, el('div', { class: 'label' }, leaseLink(name), holder), plot);
    this.#sight.observe(element);
    return { element, plot, holder, model: null, loading: false, drawn: '' };
  }

  /** Shows what is known already, without asking. */
  show(name, explained) {
    const row = this.#rows.get(name);
    if (row) { row.model = ownership(explained); row.drawn = ''; this.draw(); }
  }

  refresh(name) {
    const row = this.#rows.get(name);
    // The stream may tell a hundred events of one name at once.
    if (row?.model) row.timer ??= setTimeout(() => { row.timer = undefined; row.again = row.loading; this.#load(name, true); }, 500);
  }

  async #load(name, again) {
    const row = this.#rows.get(name);
    if (!row || row.loading || (row.model && !again)) return;
    row.loading = true;
    try {
      const explained = await get('/v1/leases/explain', { name });
      row.model = ownership(explained);
      row.drawn = '';
      setText(row.holder, explained.lease ? `${explained.lease.state === 'held' ? '' : `${explained.lease.state}, `}#${explained.lease.token} ${explained.lease.holder}` : '');
      this.draw();
    } catch (e) {
      setText(row.holder, e.message);
    } finally {
      row.loading = false;
    }
    if (row.again) { row.again = false; this.#load(name, true); }
  }

  #width() {
    return Math.max(60, this.#axis.lastChild.clientWidth);
  }

  draw() {
    if (!this.element.isConnected) return;
    const width = this.#width();
    // One moment for all rows, also for one that is drawn again between two ticks.
    const now = this.#now;
    const key = `${width} ${this.range.from} ${this.range.to}`;
    if (this.#axis.dataset.key !== key) {
      replace(this.#axis.lastChild, axis(this.range, width));
      setText(this.#drawn, drawn(this.range));
      this.#upToNow.setAttribute('aria-pressed', String(Boolean(this.range.follow)));
    }
    this.#axis.dataset.key = key;
    for (const [name, row] of this.#rows) {
      const needed = row.model ? `${key} ${row.model.bars.some((bar) => bar.to === null) ? Math.floor(now / 1000) : ''}` : '';
      // What has the focus is not replaced under the keyboard.
      if (!row.model || row.drawn === needed || (row.drawn && row.plot.contains(document.activeElement))) continue;
      row.drawn = needed;
      replace(row.plot, lane(name, row.model, this.range, width, now));
    }
  }
}

/** What is drawn, in words: the range that one chose, or what became of it by zooming. */
function drawn({ from, to, follow }) {
  const until = follow ? storeNow() : to;
  const length = until - from;
  const text = length < 600_000 ? when : (at) => when(at).replace(/:\d\d$/, '');
  const end = new Date(from).toDateString() === new Date(until).toDateString() && length >= 600_000 ? minuteTime(until) : text(until);
  return `${text(from)} \u2013 ${follow ? 'now' : end}, ${duration(Math.round(length / 1000) * 1000)}`;
}

/** Everything that is drawn, as a table: for those who cannot see it, and for narrow screens. */
export function eventTable(model) {
  const rows = [
    ...model.bars.map((bar) => ({ at: bar.from, token: bar.token, what: `${bar.holder} became the owner${bar.began === 'takeover' ? ' by a takeover' : ''}`, detail: bar.note ?? '' })),
    ...model.marks.map((mark) => ({ at: mark.at, token: mark.token, what: mark.title, detail: [mark.by, mark.detail].filter(Boolean).join(': ') })),
  ].sort((one, other) => other.at - one.at);
  return table('Everything that happened', [
    ['When', (row) => time(new Date(row.at).toISOString(), when(row.at)), 'nowrap'],
    ['Token', (row) => (row.token === undefined ? '' : token(row.token)), 'num'],
    ['What', (row) => row.what],
    ['Detail', (row) => row.detail, 'wide'],
  ], rows);
}

/** What the shapes mean; with a model, only those that it has. */
export function legend(model) {
  const has = (test) => !model || test(model);
  const item = (name, text) => el('span', { class: 'key' }, el('i', { class: `sample ${name}`, 'aria-hidden': 'true' }), text);
  const mark = (text, ...kinds) => has(({ marks }) => marks.some((one) => kinds.includes(one.kind))) && el('span', { class: 'key' }, sample(kinds[0]), text);
  const bars = (test) => has((one) => one.bars.some(test));
  return el('div', { class: 'legend', role: 'group', 'aria-label': 'Legend' },
    el('span', { class: 'key' }, el('i', { class: 'sample-token', 'aria-hidden': 'true' }, '#7'), 'token 7: rises with each owner'),
    bars((bar) => bar.to === null) && [item('held', 'held now'), item('promise', 'held until then, unless renewed')], bars((bar) => bar.to !== null) && item('held before', 'held before'),
    bars((bar) => bar.frozenFrom !== undefined) && item('frozen', 'stopped renewing, or no progress'), bars((bar) => bar.ghostTo !== undefined) && item('ghost', 'its process went on without the lease'),
    mark('late write bounced off: refused', 'refused'), mark('lease lost, or run failed', 'lost', 'failed'), mark('expired', 'expiry'),
    mark('takeover or cancel', 'takeover', 'operator'), mark('renewed late', 'late'), mark('target changed by another program', 'foreign'), has(({ marks }) => marks.some((one) => one.kind === 'skip')) && item('skip', 'skipped'));
}
