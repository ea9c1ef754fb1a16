// One lease: what is going on, the evidence, and what to do next.

import { get } from './api.js';
import { el, replace, setText, throttled } from './dom.js';
import { next } from './next.js';
import { ownership } from './ownership.js';
import { chip, empty, failure, healthChip, table, token } from './parts.js';
import { asTarget, targetTable } from './targets.js';
import { countdown, duration, sentence, storeClockSays, storeNow, time } from './time.js';
import { eventTable, legend, Plot } from './timeline.js';
import { health, reason, run as runWord } from './words.js';

const DAY = 24 * 3_600_000;
const MOST_FENCES = 2000;
const LEFT = ' left unless it is renewed';

export function leaseView(root, parameters, state) {
  const name = parameters.get('name') ?? '';
  const head = el('div');
  const side = el('div', { class: 'fold' });
  const drawing = el('section', { class: 'panel', 'aria-label': 'Timeline' });
  let plot = null;
  let explained = null;
  let fences = [];
  let lefts = [];
  let closed = false;
  let shownSide = '';
  let asked = 0;
  const keys = el('div');
  drawing.hidden = true;
  head.append(el('p', { class: 'loading', role: 'status' }, 'Reading the lease'));
  root.append(el('p', { class: 'crumbs' }, el('a', { href: '#/leases' }, 'Leases'), ' / ', el('span', {}, name)), head, drawing, side);

  async function load() {
    // Only the latest question counts: an earlier one may be answered after it.
    const mine = ++asked;
    try {
      const found = await get('/v1/leases/explain', { name });
      if (mine !== asked) return;
      if (found.lease) { storeClockSays(found.lease.readAt ?? found.lease.at); found.lease.measured = performance.now(); }
      explained = found;
    } catch (e) {
      // What was read before stays: the notice says that it may be out of date.
      if (!closed && e.status !== 401 && (!explained || !e.passes)) replace(head, failure(e, load));
      return;
    }
    if (!closed) show();
  }

  /** The fences that the server keeps are not listed by lease. */
  async function loadFences() {
    const found = [];
    let after;
    try {
      do {
        const page = await get('/v1/fences', { limit: 500, after });
        found.push(...page.fences);
        after = page.next;
      } while (after && found.length < MOST_FENCES);
    } catch { return; }
    fences = found.filter((fence) => fence.name === name).map(asTarget);
    if (!closed && explained) show();
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
    // Text that somebody is selecting stays.
    const selection = getSelection();
    if (selection.isCollapsed || !head.contains(selection.anchorNode)) showHead(lease);
    tick();
    showDrawing();
    showEvidence();
  }

  function showHead(lease) {
    const is = lease ? health(lease) : 'free';
    lefts = [];
    const focused = head.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    replace(head, el('div', { class: 'title' }, el('h1', {}, name), lease || !explained.damage.length ? healthChip(is) : chip('damaged', 'bad')),
      lease && el('dl', { class: 'facts' }, facts(lease)),
      el('div', { class: 'explain' }, explained.explanation.map((line) => el('p', {}, words(line)))),
      explained.damage.map((line) => el('p', { class: 'bad', role: 'alert' }, line)),
      next(explained, [...explained.targets, ...fences], is, state, load));
    if (focused) head.querySelector(`[data-act="${focused}"]`)?.focus();
  }

  const live = () => { const one = el('span', { class: 'figure' }); lefts.push(one); return one; };

  function facts(lease) {
    const held = lease.state === 'held';
    return [
      fact(held ? 'Holder' : 'Last holder', lease.holder), fact('Token', token(lease.token)),
      fact(held ? 'Owner since' : 'Was owner from', time(lease.owner.at)),
      held ? fact('Time left', live()) : lease.state === 'resting' ? fact('Free in', live()) : lease.state === 'expired' ? fact('Expired', time(lease.deadline)) : fact('Given back', time(lease.seen)),
      held && fact('Ttl', duration(lease.termMs)),
      fact('Last progress', lease.progress ? time(lease.progress.at) : 'none reported'),
      lease.progress?.note && fact('Note', lease.progress.note), lease.progress?.checkpoint && fact('Checkpoint', lease.progress.checkpoint),
    ];
  }

  /** A sentence of the server, in which the time left goes on: it must not differ from the one above. */
  function words(line) {
    const end = line.indexOf(LEFT);
    const from = line.lastIndexOf(', ', end);
    return end < 0 || from < 0 ? sentence(line) : [sentence(line.slice(0, from + 2)), live(), sentence(line.slice(end))];
  }

  function showDrawing() {
    drawing.hidden = false;
    const model = ownership(explained);
    if (!plot) {
      plot = new Plot(state, '', fitting(model));
      replace(drawing, el('div', { class: 'tools' }, el('h2', {}, 'Who held it'), plot.controls), plot.element, keys);
      plot.names = [name];
    }
    replace(keys, legend(model));
    plot.show(name, explained);
  }

  function showEvidence() {
    const { history, runs, unknownEffects, advice, counters, lease } = explained;
    const targets = [...explained.targets, ...fences];
    const key = JSON.stringify([history, runs, targets, unknownEffects, advice, counters, lease?.token]);
    if (key === shownSide) return;
    shownSide = key;
    const open = [...side.querySelectorAll('details')].map((one) => [one.dataset.key, one.open]);
    replace(side,
      fold('runs', `Runs ${runs.length || ''}`, true, runs.length ? runTable(runs) : el('p', { class: 'hint' }, 'No runs are recorded. \'leasehold run\' records them.'),
        Object.keys(counters).length > 0 && el('p', { class: 'hint' }, `Since the first run: ${countersInWords(counters)}.`)),
      fold('targets', `Targets ${targets.length || ''}`, targets.length > 0, targets.length ? targetTable(targets, () => lease?.token) : el('p', { class: 'hint' }, 'The store knows no target of this lease, so nothing that it knows of refuses a late write. \'leasehold run --guard FILE\' and the fences of a server are remembered; a fence in your own database is not.')),
      fold('history', `Changes of ownership ${history.length || ''}`, true, historyTable(history)),
      unknownEffects.length > 0 && fold('effects', `Calls with an unknown outcome ${unknownEffects.length}`, true, table('Calls with an unknown outcome', [
        ['Operation', (one) => one.operation], ['Token', (one) => token(one.token), 'num'], ['Begun', (one) => time(one.at), 'nowrap'],
      ], unknownEffects), el('p', { class: 'hint' }, 'Ask the target whether it acted, then record the answer with \'leasehold settle\'.')),
      fold('advice', 'Advice on the ttl', false, adviceWords(advice)),
      fold('all', 'Everything that happened, as a list', false, eventTable(ownership(explained))));
    open.forEach(([opened, was]) => { const one = side.querySelector(`details[data-key="${opened}"]`); if (one) one.open = was; });
  }

  function tick() {
    const lease = explained?.lease;
    if (lease) lefts.forEach((one) => setText(one, countdown(lease.expiresInMs - (performance.now() - lease.measured))));
  }

  const soon = throttled(400, load);
  const heard = ({ detail: event }) => { if (event.name === name) { soon(); if (event.type === 'refused') loadFences(); } };
  state.addEventListener('touched', heard);
  const ticking = setInterval(tick, 1000);
  const calm = () => !document.hidden && !document.querySelector('dialog');
  const looking = setInterval(() => { if (calm()) load(); }, 5000);
  const lookingAtFences = setInterval(() => { if (calm()) loadFences(); }, 30_000);
  load();
  loadFences();
  return { close: () => {
    closed = true;
    plot?.close();
    clearInterval(ticking);
    clearInterval(looking);
    clearInterval(lookingAtFences);
    state.removeEventListener('touched', heard);
  } };
}

const fact = (title, ...value) => el('div', {}, el('dt', {}, title), el('dd', {}, ...value));

const fold = (key, title, open, ...content) => el('details', { 'data-key': key, class: 'panel', open }, el('summary', {}, el('h2', {}, title)), content);

/** A range in which the latest accident can be seen, or else the latest ownerships. */
function fitting(model) {
  const now = storeNow();
  const worst = model.marks.filter((mark) => ['refused', 'lost'].includes(mark.kind) && now - mark.at < DAY).pop();
  const victim = worst && model.bars.find((bar) => bar.token === worst.token);
  const concerned = victim ? model.bars.filter((bar) => bar === victim || (bar.from >= victim.from && bar.from <= worst.at)) : model.bars.slice(-5);
  const from = Math.min(now - 60_000, ...concerned.map((bar) => bar.from));
  const last = victim ? Math.max(worst.at, ...concerned.map((bar) => Math.min(bar.to ?? now, worst.at + 2 * (worst.at - from))))
    : Math.max(...concerned.map((bar) => bar.to ?? now), ...model.marks.map((mark) => mark.at), from + 60_000);
  const to = now - last < (victim ? 0.5 : 3) * (last - from) ? now : last;
  const room = (to - from) * 0.06;
  return { from: from - room, to: to + room, follow: to === now };
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

function countersInWords(counters) {
  return Object.entries(counters).map(([kind, count]) => (kind === 'duration_ms' ? `total run time ${duration(count)}` : `${kind === 'acquired' || kind === 'renewals' ? kind : runWord(kind).word} ${count}`)).join(', ');
}

export function adviceWords(advice) {
  if (!advice.runs) return [el('p', { class: 'hint' }, 'There is no advice on the ttl: it needs complete runs of \'leasehold run\' or \'leasehold up\' in the log of this name.')];
  const measured = el('p', {}, `${advice.runs} runs: median ${duration(advice.medianMs)}, p95 ${duration(advice.p95Ms)}, worst ${duration(advice.worstMs)}; ${advice.lost} lost${advice.ttlMs === undefined ? '' : `; the ttl is ${duration(advice.ttlMs)}`}.`);
  if (!advice.renewed && !advice.unrenewed) return [measured, el('p', { class: 'hint' }, 'Not enough runs for advice: five are needed.')];
  const line = (what, part) => part && el('p', {}, el('b', {}, `${what}: ${duration(part.ttlMs)}${part.upToMs > part.ttlMs ? ` to ${duration(part.upToMs)}` : ''}`), `, because ${part.reason}.`);
  return [measured, line('Renewed while it runs, ttl', advice.renewed), line('Held without renewal, ttl', advice.unrenewed)];
}
