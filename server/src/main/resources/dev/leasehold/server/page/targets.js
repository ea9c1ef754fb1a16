// Targets: what each lease guards, and the highest token that it has seen.

import { pages } from './api.js';
import { el, replace, setText, throttled } from './dom.js';
import { chip, empty, failure, leaseLink, table, token } from './parts.js';
import { time } from './time.js';

export function targetsView(root, parameters, state) {
  const body = el('div', { class: 'fill scrolled' });
  const status = el('p', { class: 'count', role: 'status' });
  const input = el('input', { type: 'search', value: parameters.get('q') ?? '', placeholder: 'Search targets and leases', 'aria-label': 'Search targets and leases', spellcheck: 'false', autocomplete: 'off' });
  root.append(el('h1', { class: 'hidden' }, 'Targets'), el('div', { class: 'tools' }, input, status), body);
  let closed = false;
  let all = [];

  async function load() {
    const found = [];
    try {
      await pages('/v1/targets/all', {}, 'targets', (page) => found.push(...page));
      await pages('/v1/fences', {}, 'fences', (page) => found.push(...page.map((fence) => ({ ...fence, place: fence.resource, host: 'kept by the server', ofServer: true }))));
    } catch (e) {
      if (!closed && e.status !== 401) replace(body, failure(e, load));
      return;
    }
    all = found;
    if (!closed) show();
  }

  function show() {
    const text = input.value.trim().toLowerCase();
    const rows = all.filter((target) => target.place.toLowerCase().includes(text) || target.name.toLowerCase().includes(text));
    setText(status, all.length ? `${rows.length} targets` : '');
    replace(body, rows.length ? list(rows) : all.length ? empty('No target fits', 'Change the search.')
      : empty('No targets', 'A target appears here when a run guards it, or when a client of this server raises a fence:', 'leasehold run nightly --guard /srv/report.html -- ./render.sh'));
  }

  const behind = (target) => (state.leases.get(target.name)?.token ?? 0) > target.raised;
  const list = (rows) => table('Targets', [
    ['Target', (target) => target.place, 'wide'],
    ['Host', (target) => target.host],
    ['Lease', (target) => leaseLink(target.name)],
    ['Highest token', (target) => [token(target.raised), behind(target) && el('span', { class: 'hint', title: 'Until it is raised, it accepts the older token.' }, ` lease at #${state.leases.get(target.name).token}`)], 'num'],
    ['Last writer', (target) => target.holder ?? (target.ofServer ? '' : 'not known any more')],
    ['Raised', (target) => (target.at ? time(target.at) : ''), 'nowrap'],
    ['Foreign changes', (target) => (target.changedOutside ? [chip('changed by another program', 'warn'), ' ', time(target.changedOutside)] : target.ofServer ? 'cannot be seen' : 'none noticed')],
  ], rows);

  const soon = throttled(1000, () => { if (!body.contains(document.activeElement)) load(); });
  input.addEventListener('input', throttled(150, show));
  state.addEventListener('touched', soon);
  const looking = setInterval(() => { if (!document.hidden) soon(); }, 15_000);
  load();
  return { close: () => { closed = true; clearInterval(looking); state.removeEventListener('touched', soon); } };
}
