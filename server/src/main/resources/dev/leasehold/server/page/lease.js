// One lease: what is going on, the evidence, and what to do next.

import { get } from './api.js';
import * as actions from './actions.js';
import { el, replace, setText, throttled } from './dom.js';
import { ownership } from './ownership.js';
import { chip, empty, failure, healthChip, table, token } from './parts.js';
import { duration, sentence, storeClockSays, storeNow, time } from './time.js';
import { eventTable, Plot } from './timeline.js';
import { health, HEALTH, reason, run as runWord } from './words.js';

export function leaseView(root, parameters, state) {
  const name = parameters.get('name') ?? '';
  const head = el('div');
  const side = el('div', { class: 'fold' });
  const drawing = el('section', { class: 'panel', 'aria-label': 'Timeline' });
  let plot = null;
  let explained = null;
  let left = null;
  let closed = false;
  drawing.hidden = true;
  head.append(el('p', { class: 'loading', role: 'status' }, 'Reading the lease'));
  root.append(el('p', { class: 'crumbs' }, el('a', { href: '#/leases' }, 'Leases'), ' / ', el('span', {}, name)), head, drawing, side);

  async function load() {
    try {
      explained = await get('/v1/leases/explain', { name });
    } catch (e) {
      if (!closed && e.status !== 401) replace(head, failure(e, load));
      return;
    }
    if (closed) return;
    if (explained.lease) { storeClockSays(explained.lease.at); explained.lease.measured = performance.now(); }
    show();
  }

  function show() {
    const { lease } = explained;
    if (!lease && !explained.history.length && !explained.damage.length) {
      replace(head, el('h1', {}, name), empty('Nobody has held this lease', 'It appears here as soon as somebody takes it:', `leasehold run ${name} -- COMMAND`));
      replace(drawing);
      replace(side);
      drawing.hidden = true;
      return;
    }
    const is = lease ? health(lease) : 'free';
    left = el('span', { class: 'figure' });
    const focused = head.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    replace(head, el('div', { class: 'title' }, el('h1', {}, name), healthChip(is)),
      lease && el('dl', { class: 'facts' },
        fact(lease.state === 'held' ? 'Holder' : 'Last holder', lease.holder), fact('Token', token(lease.token)),
        fact('Owner since', time(lease.owner.at)), fact('Time left', left),
        fact('Last progress', lease.progress ? time(lease.progress.at) : 'none reported'),
        lease.progress?.note && fact('Note', lease.progress.note), lease.progress?.checkpoint && fact('Checkpoint', lease.progress.checkpoint)),
      el('div', { class: 'explain' }, explained.explanation.map((line) => el('p', {}, sentence(line)))),
      explained.damage.map((line) => el('p', { class: 'bad' }, line)),
      next(explained, is, state, load));
    if (focused) head.querySelector(`[data-act="${focused}"]`)?.focus();
    tick();
    showDrawing();
    showEvidence();
  }

  function showDrawing() {
    drawing.hidden = false;
    if (!plot) {
      const model = ownership(explained);
      plot = new Plot(state, '', fitting(model));
      replace(drawing, el('div', { class: 'tools' }, el('h2', {}, 'Who held it'), plot.controls), plot.element);
      plot.names = [name];
    }
    plot.show(name, explained);
  }

  function showEvidence() {
    const { history, runs, targets, unknownEffects, advice, counters } = explained;
    const open = [...side.querySelectorAll('details')].map((one) => [one.dataset.key, one.open]);
    replace(side,
      fold('runs', `Runs ${runs.length || ''}`, true, runs.length ? runTable(runs) : el('p', { class: 'hint' }, 'No runs are recorded. \'leasehold run\' records them.'),
        Object.keys(counters).length > 0 && el('p', { class: 'hint' }, `Since the first run: ${countersInWords(counters)}.`)),
      fold('history', `Changes of ownership ${history.length || ''}`, true, historyTable(history)),
      fold('targets', `Targets ${targets.length || ''}`, targets.length > 0, targets.length ? targetTable(targets) : el('p', { class: 'hint' }, 'The store remembers no targets of this lease. \'leasehold run --guard FILE\' and the fences of a server are remembered.')),
      unknownEffects.length > 0 && fold('effects', `Calls with an unknown outcome ${unknownEffects.length}`, true, table('Calls with an unknown outcome', [
        ['Operation', (one) => one.operation], ['Token', (one) => token(one.token), 'num'], ['Begun', (one) => time(one.at), 'nowrap'],
      ], unknownEffects), el('p', { class: 'hint' }, 'Ask the target whether it acted, then record the answer with \'leasehold settle\'.')),
      fold('advice', 'Advice on the ttl', false, adviceWords(advice)),
      fold('all', 'Everything that happened, as a list', false, eventTable(ownership(explained))));
    open.forEach(([key, was]) => { const one = side.querySelector(`details[data-key="${key}"]`); if (one) one.open = was; });
  }

  function tick() {
    const lease = explained?.lease;
    if (!lease || !left) return;
    const ms = lease.expiresInMs - (performance.now() - lease.measured);
    setText(left, lease.state !== 'held' && lease.state !== 'resting' ? lease.state : ms > 0 ? duration(Math.max(1000, Math.floor(ms / 1000) * 1000)) : 'renewal due');
  }

  const soon = throttled(400, load);
  const heard = ({ detail: event }) => { if (event.name === name) soon(); };
  state.addEventListener('touched', heard);
  const ticking = setInterval(tick, 1000);
  const looking = setInterval(() => { if (!document.hidden && !document.querySelector('dialog')) load(); }, 5000);
  load();
  return { close: () => {
    closed = true;
    plot?.close();
    clearInterval(ticking);
    clearInterval(looking);
    state.removeEventListener('touched', heard);
  } };
}

const fact = (title, ...value) => el('div', {}, el('dt', {}, title), el('dd', {}, ...value));

const fold = (key, title, open, ...content) => el('details', { 'data-key': key, class: 'panel', open }, el('summary', {}, el('h2', {}, title)), content);

/** A range in which the latest ownerships can be seen. */
function fitting(model) {
  const now = storeNow();
  const latest = model.bars.slice(-6);
  const from = Math.min(now - 60_000, ...latest.map((bar) => bar.from));
  const last = Math.max(...model.bars.map((bar) => bar.to ?? now), ...model.marks.map((mark) => mark.at), from + 60_000);
  const to = now - last < 3 * (last - from) ? now : last;
  const room = (to - from) * 0.06;
  return { from: from - room, to: to + room, follow: to === now };
}

/** What a sensible person does next, and the buttons for it. */
function next(explained, is, state, load) {
  const { lease, unknownEffects } = explained;
  if (!lease) return null;
  const refused = explained.runs.find((run) => run.kind === 'stale_refused' && storeNow() - Date.parse(run.at) < 24 * 3_600_000);
  const words = {
    working: 'Nothing to do. It works.',
    alive: 'Nothing to do. To see whether it is stuck, let it report progress: leasehold progress.',
    stuck: 'Look at the holder. If it hangs, cancel the lease, so that the next run starts; the token rises, and its late writes are refused.',
    dead: 'Nothing to do for the lease: the next run takes it. If the old process may still live, end it there; targets that saw a newer token refuse it.',
    resting: 'Wait: the name is free when its minimum hold is over.',
    free: 'Nothing to do. The next run takes it.',
  };
  const button = (act, word, style) => el('button', { type: 'button', class: style, 'data-act': act, on: { click: () => actions[act](lease, load) } }, word);
  const held = lease.state === 'held';
  return el('section', { class: `next ${HEALTH[is].tone}`, 'aria-label': 'What to do next' },
    el('div', {}, el('h2', {}, 'Next'), el('p', {}, words[is]),
      refused && el('p', {}, 'A late write was refused (token ', token(refused.token), ', ', time(refused.at), '): the newer work is safe. Find out why that run stalled.'),
      unknownEffects.length > 0 && el('p', {}, 'Calls were begun and have no outcome. Ask their targets, then settle them.')),
    state.mayChange
      ? el('div', { class: 'buttons' }, held && button('cancel', 'Cancel the lease', is === 'stuck' ? 'primary' : ''), button('takeover', 'Take over'), held && button('release', 'Release'))
      : el('p', { class: 'hint' }, 'Only an operator can cancel, take over or release.'));
}

function runTable(runs) {
  return table('Runs, newest first', [
    ['When', (run) => time(run.at), 'nowrap'],
    ['What', (run) => chip(runWord(run.kind).word, runWord(run.kind).tone, run.kind)],
    ['Token', (run) => (run.token === undefined ? '' : token(run.token)), 'num'],
    ['Holder', (run) => run.holder],
    ['Took', (run) => (run.durationMs ? duration(run.durationMs) : ''), 'num'],
    ['By', (run) => (run.origin ? `${run.origin.user}@${run.origin.host}` : '')],
    ['Detail', (run) => el('span', {}, run.origin && el('code', {}, run.origin.command), run.origin && run.detail && ' ', run.detail), 'wide'],
  ], runs);
}

function historyTable(history) {
  return table('Changes of ownership, newest first', [
    ['When', (transfer) => time(transfer.at), 'nowrap'], ['Token', (transfer) => token(transfer.token), 'num'],
    ['Holder', (transfer) => transfer.holder], ['How', (transfer) => reason(transfer.reason)], ['Reason', (transfer) => transfer.note ?? '', 'wide'],
  ], history);
}

export function targetTable(targets) {
  return table('Targets', [
    ['Target', (target) => target.place, 'wide'], ['Host', (target) => target.host ?? ''], ['Highest token', (target) => token(target.raised), 'num'],
    ['Last writer', (target) => target.holder ?? 'not known any more'], ['Raised', (target) => (target.at ? time(target.at) : ''), 'nowrap'],
    ['Foreign change', (target) => (target.changedOutside ? [chip('changed by another program', 'warn'), ' ', time(target.changedOutside)] : 'none noticed')],
  ], targets);
}

function countersInWords(counters) {
  return Object.entries(counters).map(([kind, count]) => (kind === 'duration_ms' ? `total run time ${duration(count)}` : `${kind === 'acquired' || kind === 'renewals' ? kind : runWord(kind).word} ${count}`)).join(', ');
}

export function adviceWords(advice) {
  if (!advice.runs) return [el('p', { class: 'hint' }, 'No complete run is recorded yet. \'leasehold run\' records them.')];
  const measured = el('p', {}, `${advice.runs} runs: median ${duration(advice.medianMs)}, p95 ${duration(advice.p95Ms)}, worst ${duration(advice.worstMs)}; ${advice.lost} lost${advice.ttlMs === undefined ? '' : `; the ttl is ${duration(advice.ttlMs)}`}.`);
  if (!advice.renewed && !advice.unrenewed) return [measured, el('p', { class: 'hint' }, 'Not enough runs for advice: five are needed.')];
  const line = (what, part) => part && el('p', {}, el('b', {}, `${what}: ${duration(part.ttlMs)}${part.upToMs > part.ttlMs ? ` to ${duration(part.upToMs)}` : ''}`), `, because ${part.reason}.`);
  return [measured, line('Renewed while it runs, ttl', advice.renewed), line('Held without renewal, ttl', advice.unrenewed)];
}
