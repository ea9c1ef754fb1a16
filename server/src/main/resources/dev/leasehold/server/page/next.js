// What a sensible person does next about a lease, and the buttons for it.

import * as actions from './actions.js';
import { el } from './dom.js';
import { token } from './parts.js';
import { isBehind } from './targets.js';
import { storeNow, time } from './time.js';
import { HEALTH, isRefusal } from './words.js';

const DAY = 24 * 3_600_000;
const MOST_NAMED = 3;

const WORDS = {
  working: 'Nothing to do. It works.',
  alive: 'Nothing to do. To see whether it is stuck, let it report progress: leasehold progress.',
  stuck: 'Look at the holder. If it hangs, end its process there, and cancel the lease, so that the next run can start.',
  silent: 'Wait for one term: the server then knows that the lease is over, and the next run takes it. If the old process may still live, end it there.',
  dead: 'Nothing to do for the lease: the next run takes it. If the old process may still live, end it there.',
  resting: 'Wait: the name is free when its minimum hold is over.',
  free: 'Nothing to do for the lease: it is free, and the next run takes it.',
};

/** @param targets those that the store remembers and those whose fence the server keeps */
export function next(explained, targets, is, state, load) {
  const { lease, unknownEffects } = explained;
  if (!lease) return null;
  const behind = targets.filter((target) => isBehind(target, lease.token));
  const tone = behind.length && HEALTH[is].tone === 'calm' ? 'warn' : HEALTH[is].tone;
  const button = (act, word, style) => el('button', { type: 'button', class: style, 'data-act': act, on: { click: () => actions[act](lease, load) } }, word);
  const held = lease.state === 'held';
  return el('section', { class: `next ${tone}`, 'aria-label': 'What to do next' },
    el('div', {}, el('h2', {}, 'Next'), el('p', {}, WORDS[is], protection(is, targets, behind)),
      refusals(explained),
      behind.length > 0 && unraised(lease, behind),
      unknownEffects.length > 0 && el('p', {}, 'Calls were begun and have no outcome. Ask their targets, then settle them.')),
    state.mayChange
      ? el('div', { class: 'buttons' }, held && button('cancel', 'Cancel the lease', is === 'stuck' ? 'primary' : ''), is !== 'free' && button('takeover', 'Take over'), held && button('release', 'Release'))
      : el('p', { class: 'hint' }, 'Only an operator can cancel, take over or release.'));
}

/** What a late write of the old holder would meet: nothing is promised that no target does. */
function protection(is, targets, behind) {
  if (!['stuck', 'silent', 'dead'].includes(is)) return null;
  if (!targets.length) return ' No target of this lease is known here, so nothing that the store knows of would refuse a late write of the old process.';
  return behind.length ? null : ` Its ${targets.length === 1 ? 'target refuses' : `${targets.length} targets refuse`} late writes of the old process as soon as the next run has raised ${targets.length === 1 ? 'it' : 'them'}.`;
}

/** The late writes of the last day, with what led to them. */
function refusals({ runs, history }) {
  const late = runs.filter((run) => isRefusal(run.kind) && storeNow() - Date.parse(run.at) < DAY);
  if (!late.length) return null;
  const [last] = late;
  const same = late.filter((run) => run.token === last.token).length;
  const index = history.findIndex((transfer) => transfer.token === last.token);
  const after = index > 0 ? history[index - 1] : null;
  // A refusal names who called; the history, who had the token.
  const who = history[index]?.holder ?? last.holder;
  const how = { expired: 'stopped renewing, and its lease expired', takeover: 'lost the lease by a takeover', cancelled: 'lost the lease: it was cancelled', released: 'had given the lease back' }[after?.reason];
  return el('p', {}, last.token === undefined ? who : [`${who} (`, token(last.token), ')'],
    how && after ? [` ${how}. `, after.reason === 'cancelled' ? '' : [`${after.holder} (`, token(after.token), ') became the owner at ', time(after.at), '. ']] : ' is not the owner any more. ',
    `After that, ${who} tried to write`, same > 1 ? ` ${same} times, last at ` : ' at ', time(last.at), ', and was refused: ', last.detail, '. Find out why that run stalled.');
}

function unraised(lease, behind) {
  const command = behind.find((target) => !target.ofServer);
  return el('p', { class: 'caution' }, el('b', {}, `${behind.length === 1 ? 'A target has' : `${behind.length} targets have`} not seen token ${lease.token} yet: `),
    behind.slice(0, MOST_NAMED).map((target, index) => [index ? ', ' : '', el('code', {}, target.place), ' (at ', token(target.raised), ')']), behind.length > MOST_NAMED && ' and others',
    '. Until then, an older holder that still runs can write there. ', command && ['End it, or raise the target: ', commandLine(['leasehold', 'raise', quoted(command.place), '--name', lease.name, '--token', lease.token])]);
}

/** A browser would break a line after the dashes of an option, where nobody can tell whether there is a space. */
const commandLine = (words) => el('code', {}, words.flatMap((word) => [' ', String(word).startsWith('--') ? el('span', { class: 'whole' }, word) : String(word)]).slice(1));

const quoted = (text) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
