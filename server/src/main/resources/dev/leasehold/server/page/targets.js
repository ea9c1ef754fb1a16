// Targets: what each lease guards, and the highest token that it has seen.

import { pages } from './api.js';
import { el, replace, setText, throttled } from './dom.js';
import { chip, damage, empty, failure, leaseLink, table, token } from './parts.js';
import { time } from './time.js';

export function targetsView(root, parameters, state) {
  const body = el('div', { class: 'fill scrolled' });
  const status = el('p', { class: 'count', role: 'status' });
  const input = el('input', { type: 'search', value: parameters.get('q') ?? '', placeholder: 'Search targets and leases', 'aria-label': 'Search targets and leases', spellcheck: 'false', autocomplete: 'off' });
  root.append(el('h1', { class: 'hidden' }, 'Targets'), el('div', { class: 'tools' }, input, status), body);
  let closed = false;
  let all = [];
  let broken = [];
  let asked = 0;

  async function load() {
    // Only the latest question counts: an earlier one may be answered after it.
    const mine = ++asked;
    const found = [];
    const damaged = [];
    try {
      await pages('/v1/targets/all', {}, 'targets', (targets, page) => { found.push(...targets); damaged.push(...(page.damaged ?? [])); });
      await pages('/v1/fences', {}, 'fences', (page) => found.push(...page.map(asTarget)));
    } catch (e) {
      if (!closed && !all.length && e.status !== 401) replace(body, failure(e, load));
      return;
    }
    if (mine !== asked) return;
    all = found;
    broken = damaged;
    if (!closed) show();
  }

  function show() {
    const text = input.value.trim().toLowerCase();
    const isDoubtful = (target) => isBehind(target, state.leases.get(target.name)?.token) || Boolean(target.changedOutside);
    const rows = all.filter((target) => target.place.toLowerCase().includes(text) || target.name.toLowerCase().includes(text))
      .sort((one, other) => isDoubtful(other) - isDoubtful(one));
    setText(status, all.length ? `${rows.length} targets` : '');
    replace(body, damage(broken), rows.length ? list(rows) : all.length ? empty('No target fits', 'Change the search.')
      : !broken.length && empty('No targets', 'A target appears here when a run guards it, or when a client of this server raises a fence:', 'leasehold run nightly --guard /srv/report.html -- ./render.sh'));
  }

  const list = (rows) => targetTable(rows, (target) => state.leases.get(target.name)?.token, true);

  const soon = throttled(1000, () => { if (!body.contains(document.activeElement)) load(); });
  input.addEventListener('input', throttled(150, show));
  state.addEventListener('touched', soon);
  const looking = setInterval(() => { if (!document.hidden) soon(); }, 15_000);
  load();
  return { close: () => { closed = true; clearInterval(looking); state.removeEventListener('touched', soon); } };
}

/** A fence that the server keeps, as a target. */
export const asTarget = (fence) => ({ ...fence, place: fence.resource, host: 'kept by the server', ofServer: true });

/** Whether the lease has a newer token than the target has seen: then older holders can still write to it. */
export const isBehind = (target, current) => current !== undefined && current > target.raised;

/** @param tokenOf the current token of the lease of a target; undefined if it is not known */
export function targetTable(targets, tokenOf, withLease) {
  const fence = (target) => (isBehind(target, tokenOf(target))
    ? [chip('behind the lease', 'warn'), ` which is at #${tokenOf(target)}: it still accepts #${target.raised}${tokenOf(target) - target.raised > 1 ? ' and later' : ''}`]
    : tokenOf(target) === undefined ? 'its lease is not known' : 'up to date');
  return table('Targets', [
    ['Target', (target) => target.place, 'wide'],
    ['Host', (target) => target.host],
    withLease && ['Lease', (target) => leaseLink(target.name)],
    ['Highest token', (target) => token(target.raised), 'num'],
    ['Fence', fence, 'wide'],
    ['Last writer', (target) => target.holder ?? (target.ofServer ? '' : 'not known any more')],
    ['Raised', (target) => (target.at ? time(target.at) : ''), 'nowrap'],
    ['Foreign changes', (target) => (target.changedOutside ? [chip('changed by another program', 'warn'), ' ', time(target.changedOutside)] : target.ofServer ? 'cannot be seen' : 'none noticed')],
  ].filter(Boolean), targets);
}
