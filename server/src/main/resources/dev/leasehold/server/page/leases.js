// All leases: who holds what, for how long still, and whether the holder works.

import { Attention } from './attention.js';
import { el, replace, setText, throttled } from './dom.js';
import { choice, empty, leaseLink } from './parts.js';
import { ago, countdown, exact } from './time.js';
import { HEALTH, health } from './words.js';
import { VirtualList } from './virtual.js';

const COLUMNS = [
  ['name', 'Name'], ['health', 'Health'], ['holder', 'Holder'], ['token', 'Token'], ['left', 'Time left'], ['progress', 'Last progress'],
];
const ORDER = ['stuck', 'silent', 'dead', 'working', 'alive', 'resting', 'free'];

export function leasesView(root, parameters, state) {
  const filter = { text: parameters.get('q') ?? '', prefix: parameters.get('prefix') ?? '', health: parameters.get('health') ?? 'all', sort: 'health', down: false };
  const search = field('Search names and holders', 'search', filter.text, (value) => { filter.text = value; show(); });
  const prefix = field('Prefix, such as team-a/', 'text', filter.prefix, (value) => { filter.prefix = value; show(); });
  const states = el('div');
  const attention = new Attention(state);
  const body = el('div', { class: 'fill' });
  const count = el('p', { class: 'count', role: 'status' });
  const header = el('div', { role: 'rowgroup', class: 'thead' });
  const list = new VirtualList('Leases', header, makeRow, (row, item) => fillRow(row, item, state));
  root.append(el('h1', { class: 'hidden' }, 'Leases'), attention.element,
    el('div', { class: 'tools' }, search, prefix, states, count), body);
  let shownStates = '';

  function showHeader() {
    replace(header, el('div', { role: 'row', class: 'row head', 'aria-rowindex': '1' }, COLUMNS.map(([key, title]) =>
      el('div', { role: 'columnheader', class: key, 'aria-sort': filter.sort === key ? (filter.down ? 'descending' : 'ascending') : 'none' },
        el('button', { type: 'button', on: { click: () => {
          filter.down = filter.sort === key ? !filter.down : false;
          filter.sort = key;
          showHeader();
          header.querySelector(`.${key} button`).focus();
          show();
        } } }, title)))));
  }

  function showStates(counts) {
    const options = [['all', `All ${counts.all}`], ...ORDER.filter((name) => counts[name] || name === filter.health).map((name) => [name, `${HEALTH[name].word} ${counts[name] ?? 0}`])];
    const text = JSON.stringify([options, filter.health]);
    if (text === shownStates) return;
    shownStates = text;
    const focused = states.contains(document.activeElement) ? document.activeElement.dataset.value : null;
    replace(states, choice('Health', options, filter.health, (value) => { filter.health = value; show(); }));
    if (focused) states.querySelector(`[data-value="${focused}"]`)?.focus();
  }

  function show() {
    const counts = { all: 0 };
    const text = filter.text.toLowerCase();
    const rows = [];
    for (const lease of state.leases.values()) {
      if (filter.prefix && !lease.name.startsWith(filter.prefix)) continue;
      if (text && !lease.name.toLowerCase().includes(text) && !lease.holder.toLowerCase().includes(text)) continue;
      const is = health(lease);
      counts.all++;
      counts[is] = (counts[is] ?? 0) + 1;
      if (filter.health === 'all' || filter.health === is) rows.push({ lease, health: is });
    }
    rows.sort(comparison(filter, state));
    showStates(counts);
    if (rows.length) {
      if (!list.viewport.isConnected) replace(body, list.viewport);
      list.items = rows;
    } else {
      replace(body, nothing(state));
    }
    setText(count, rows.length === state.leases.size ? '' : `${rows.length} of ${state.leases.size}`);
  }

  const soon = throttled(200, show);
  state.addEventListener('leases', soon);
  const ticking = setInterval(() => { list.draw(); }, 1000);
  const looking = setInterval(() => {
    soon();
    if (!document.hidden) state.want(list.visible().filter(({ lease }) => performance.now() - lease.measured > 3500).map(({ lease }) => lease.name));
  }, 4000);
  showHeader();
  show();
  return { close: () => {
    clearInterval(ticking);
    clearInterval(looking);
    state.removeEventListener('leases', soon);
    attention.close();
  } };
}

function field(label, type, value, changed) {
  const input = el('input', { type, value, placeholder: label, 'aria-label': label, spellcheck: 'false', autocomplete: 'off' });
  input.addEventListener('input', () => changed(input.value.trim()));
  return input;
}

function comparison(filter, state) {
  const values = {
    name: ({ lease }) => lease.name,
    health: ({ health: is }) => ORDER.indexOf(is),
    holder: ({ lease }) => lease.holder,
    token: ({ lease }) => lease.token,
    left: ({ lease }) => (lease.state === 'held' ? state.left(lease) : Infinity),
    progress: ({ lease }) => lease.progress?.at ?? '',
  };
  const value = values[filter.sort];
  const sign = filter.down ? -1 : 1;
  return (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a < b) return -sign;
    if (a > b) return sign;
    return one.lease.name < other.lease.name ? -1 : 1;
  };
}

function nothing(state) {
  if (state.failed) return empty('The leases cannot be read', state.failed.message);
  if (!state.loaded) return el('p', { class: 'loading', role: 'status' }, 'Reading the leases');
  return state.leases.size || state.damaged.size
    ? empty('No lease fits', 'Change the search, the prefix or the state.')
    : empty('No leases yet', 'A lease appears here as soon as somebody takes it. For example, run a command under one:', 'leasehold run nightly -- ./backup.sh');
}

function makeRow() {
  const cells = COLUMNS.map(([key]) => el('div', { role: 'cell', class: key }));
  const row = el('div', { role: 'row', class: 'row' }, cells);
  const link = leaseLink('');
  cells[0].append(link);
  const chip = el('span', { class: 'chip' });
  cells[1].append(chip);
  const bar = el('span', { class: 'meter', 'aria-hidden': 'true' }, el('span'));
  const left = el('span');
  cells[4].append(bar, left);
  const moment = el('time');
  const note = el('span', { class: 'note' });
  cells[5].append(moment, note);
  row.parts = { link, chip, holder: cells[2], token: cells[3], bar, left, moment, note };
  return row;
}

function fillRow(row, { lease, health: is }, state) {
  const { parts } = row;
  if (parts.link.title !== lease.name) {
    setText(parts.link, lease.name);
    parts.link.title = lease.name;
    parts.link.setAttribute('href', `#/lease?name=${encodeURIComponent(lease.name)}`);
  }
  parts.chip.className = `chip ${HEALTH[is].tone}`;
  setText(parts.chip, HEALTH[is].word);
  parts.chip.title = HEALTH[is].means;
  setText(parts.holder, lease.state === 'held' ? lease.holder : `last: ${lease.holder}`);
  parts.holder.title = lease.holder;
  setText(parts.token, `#${lease.token}`);
  const left = state.left(lease);
  const held = lease.state === 'held' || lease.state === 'resting';
  setText(parts.left, held ? countdown(left) : lease.state === 'expired' ? `expired ${ago(lease.deadline)}` : '');
  parts.bar.hidden = !held;
  parts.bar.firstChild.style.width = `${Math.max(0, Math.min(100, (100 * left) / Math.max(1, lease.termMs)))}%`;
  const progress = lease.progress;
  setText(parts.moment, progress ? `${ago(progress.at)}` : '');
  parts.moment.title = progress ? exact(progress.at) : '';
  setText(parts.note, progress?.note ?? '');
  parts.note.title = progress?.note ?? '';
}
