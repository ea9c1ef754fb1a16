// Work items: what is done once, how far it came, and why it failed.

import { get } from './api.js';
import * as actions from './actions.js';
import { el, replace, setText, throttled } from './dom.js';
import { chip, choice, damage, empty, failure, leaseLink, table, token } from './parts.js';
import { time } from './time.js';

const STATES = ['open', 'running', 'done', 'failed'];
const TONES = { open: 'calm', running: 'accent', done: 'good', failed: 'bad' };
const PAGE = 200;

export function workView(root, parameters, state) {
  const filter = { state: parameters.get('state') ?? '', prefix: parameters.get('prefix') ?? '' };
  const body = el('div', { class: 'fill scrolled' });
  const status = el('p', { class: 'count', role: 'status' });
  const input = el('input', { type: 'search', value: filter.prefix, placeholder: 'Prefix of names', 'aria-label': 'Prefix of names', spellcheck: 'false', autocomplete: 'off' });
  root.append(el('h1', { class: 'hidden' }, 'Work items'), el('div', { class: 'tools' }, input,
    choice('State', [['', 'All'], ...STATES.map((word) => [word, word])], filter.state, (value) => { filter.state = value; load(); }), status), body);
  let closed = false;
  let asked = 0;
  let most = PAGE;
  let shown = false;

  async function load() {
    const mine = ++asked;
    const items = [];
    const damaged = [];
    let next;
    try {
      do {
        const page = await get('/v1/work/all', { prefix: filter.prefix, state: filter.state, limit: PAGE, after: next });
        items.push(...page.items);
        damaged.push(...(page.damaged ?? []));
        next = page.next;
      } while (next && items.length < most);
    } catch (e) {
      if (!closed && mine === asked && !shown && e.status !== 401) replace(body, failure(e, load));
      return;
    }
    if (closed || mine !== asked) return;
    shown = true;
    setText(status, items.length ? `${items.length}${next ? ' or more' : ''} items` : '');
    replace(body, damage(damaged), items.length ? list(items) : damaged.length ? null : nothing(),
      next && el('p', { class: 'more' }, el('button', { type: 'button', on: { click: () => { most += PAGE; load(); } } }, 'Show more')));
  }

  const nothing = () => (filter.state || filter.prefix ? empty('No item fits', 'Change the prefix or the state.')
    : empty('No work items', 'An item appears here when a run claims a key, so that it is done once:', 'leasehold run billing --key "$(date +%F)" -- ./bill.sh'));

  const list = (items) => table('Work items', [
    ['Key', (item) => el('span', { class: 'key-name' }, item.key)],
    ['Of', (item) => leaseLink(item.name)],
    ['State', (item) => (isOrphan(item) ? chip('orphaned', 'warn', 'Its run is gone. It is recorded as running until the next run claims it.') : chip(item.state, TONES[item.state]))],
    ['Tries', (item) => String(item.attempts), 'num'],
    ['Since', (item) => time(item.since), 'nowrap'],
    ['Last holder', (item) => [item.holder ?? '', item.token === undefined ? '' : ' ', item.token === undefined ? '' : token(item.token)]],
    ['How far, and why', (item) => [isOrphan(item) && el('div', {}, orphanWords(item)), facts(item)], 'wide'],
    ['Action', (item) => state.mayChange && (item.state === 'failed' || isOrphan(item)) && el('button', { type: 'button', 'aria-label': `Retry ${item.key} of ${item.name}`, on: { click: () => actions.retry(item, load) } }, 'Retry'), 'num'],
  ], items);

  /** An item whose run is gone stays running until the next claim; its lease shows it. */
  function isOrphan(item) {
    const lease = state.leases.get(item.lease);
    return item.state === 'running' && state.loaded && lease !== undefined && (lease.token !== item.token || lease.state !== 'held');
  }

  function orphanWords(item) {
    const lease = state.leases.get(item.lease);
    return lease.token !== item.token && lease.state === 'held'
      ? [`its lease went to ${lease.holder} `, token(lease.token), ', which has not claimed it']
      : ['nobody works on it: its lease ', lease.state === 'expired' ? ['expired ', time(lease.deadline)] : 'has ended', '; the next run continues it'];
  }

  const soon = throttled(800, () => { if (!document.querySelector('dialog') && !body.contains(document.activeElement)) load(); });
  input.addEventListener('input', throttled(250, () => { filter.prefix = input.value.trim(); load(); }));
  state.addEventListener('touched', soon);
  const looking = setInterval(() => { if (!document.hidden) soon(); }, 10_000);
  load();
  return { close: () => { closed = true; clearInterval(looking); state.removeEventListener('touched', soon); } };
}

function facts(item) {
  const line = (title, text, tone) => text && el('div', { class: tone }, el('b', {}, `${title} `), text);
  return [line('error', item.error, item.state === 'failed' ? 'bad' : ''), line('checkpoint', item.checkpoint), line('result', item.result), line('operator', item.reason),
    item.effects.length > 0 && el('div', {}, `${item.effects.filter((effect) => effect.delivered).length} of ${item.effects.length} effects delivered`)];
}
