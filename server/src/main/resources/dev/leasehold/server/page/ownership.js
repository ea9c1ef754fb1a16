// Who held a lease when, and what happened meanwhile: from its history and the log of its runs.

import { isRefusal, reason as inWords, run as wordOf } from './words.js';
import { duration } from './time.js';

const at = (iso) => Date.parse(iso);
/** So many changes of ownership of a name are kept. */
const KEPT = 64;

/**
 * The bars and marks of one lease.
 *
 * A bar is {token, holder, from, to, end, frozenFrom, ghostTo, lane, note}: 'to' is null while it is held,
 * 'end' says how it ended, 'frozenFrom' since when nobody renewed it, 'ghostTo' until when its process was
 * heard of although it had lost the lease.
 */
export function ownership(explained) {
  const { lease, history, runs } = explained;
  const oldestFirst = [...history].reverse();
  const bars = [];
  const marks = [];
  oldestFirst.forEach((transfer, index) => {
    const next = oldestFirst[index + 1];
    if (transfer.reason === 'cancelled' || transfer.reason === 'recovered') {
      marks.push({ kind: 'operator', at: at(transfer.at), token: transfer.token, title: inWords(transfer.reason), by: transfer.holder, detail: transfer.note });
      return;
    }
    const bar = { token: transfer.token, holder: transfer.holder, from: at(transfer.at), note: transfer.note, began: transfer.reason };
    endOf(bar, next, lease, runs);
    bars.push(bar);
    if (transfer.reason === 'takeover') marks.push({ kind: 'takeover', at: bar.from, token: bar.token, title: 'takeover', by: transfer.holder, detail: transfer.note });
    if (transfer.reason === 'expired' && bars.length > 1) marks.push({ kind: 'expiry', at: bar.from, token: bars[bars.length - 2].token, title: 'expired', by: bars[bars.length - 2].holder, detail: `The lease of token ${bars[bars.length - 2].token} ended without a release, before this moment.` });
  });
  if (lease?.state === 'expired') marks.push({ kind: 'expiry', at: at(lease.deadline), token: lease.token, title: 'expired', by: lease.holder, detail: 'Nobody has taken the lease since.' });
  runs.forEach((run) => marks.push(...marksOf(run)));
  bars.forEach((bar) => {
    if (bar.to === null) return;
    const late = marks.filter((mark) => mark.token === bar.token && mark.at > bar.to && mark.kind !== 'expiry' && mark.kind !== 'takeover');
    if (late.length) bar.ghostTo = Math.max(...late.map((mark) => mark.at));
  });
  const lanes = arrange(bars);
  marks.forEach((mark) => { mark.lane = bars.find((bar) => bar.token === mark.token)?.lane ?? 0; });
  marks.sort((one, other) => one.at - other.at);
  // Before this moment nobody knows, unless the name was new then.
  const known = oldestFirst.length >= KEPT && oldestFirst[0].reason !== 'first' ? at(oldestFirst[0].at) : null;
  return { bars, marks, lanes, known };
}

function endOf(bar, next, lease, runs) {
  const run = runs.find((one) => one.token === bar.token && one.renewals);
  if (!next) {
    if (!lease || lease.state === 'held' || lease.state === 'resting') {
      Object.assign(bar, { to: null, end: 'held', deadline: lease ? at(lease.deadline) : null });
      if (lease?.progress && at(lease.at) - at(lease.progress.at) > lease.termMs) bar.frozenFrom = at(lease.progress.at);
    } else if (lease.state === 'expired') {
      Object.assign(bar, { to: at(lease.deadline), end: 'expired', frozenFrom: Math.max(bar.from, at(lease.deadline) - lease.termMs) });
    } else {
      Object.assign(bar, { to: Math.max(bar.from, at(lease.seen)), end: 'released' });
    }
    return;
  }
  const until = at(next.at);
  if (next.reason === 'released') {
    const ended = runs.find((one) => one.token === bar.token && (one.renewals || one.origin || one.kind === 'released') && at(one.at) > bar.from && at(one.at) <= until);
    Object.assign(bar, ended ? { to: Math.max(bar.from, at(ended.at)), end: 'released' } : { to: until, end: 'released', vague: true });
  } else if (next.reason === 'expired') {
    // The history does not keep the ttl of an earlier owner. Without its run, that of another one is a guess.
    const known = run?.renewals.ttlMs;
    const guess = runs.find((one) => one.renewals)?.renewals.ttlMs ?? (lease?.state === 'held' ? lease.termMs : undefined);
    const from = known === undefined ? Math.max(until - (guess ?? Infinity), (bar.from + until) / 2) : Math.max(bar.from, until - known);
    Object.assign(bar, { to: until, end: 'expired', frozenFrom: from, guessed: known === undefined });
  } else {
    Object.assign(bar, { to: until, end: next.reason });
  }
}

function marksOf(run) {
  const { word, tone } = wordOf(run.kind);
  const mark = { at: at(run.at), token: run.token, by: run.holder, detail: run.detail, title: word, tone };
  const marks = [];
  if (isRefusal(run.kind)) marks.push({ ...mark, kind: 'refused' });
  else if (run.kind.startsWith('lost_')) marks.push({ ...mark, kind: 'lost' });
  else if (run.kind === 'skipped_overlap') marks.push({ ...mark, kind: 'skip' });
  else if (['failed', 'timed_out', 'killed'].includes(run.kind)) marks.push({ ...mark, kind: 'failed' });
  else if (['changed_outside', 'would_refuse'].includes(run.kind)) marks.push({ ...mark, kind: 'foreign' });
  const renewals = run.renewals;
  if (renewals && renewals.heartbeatMs > 0 && renewals.longestGapMs > 2 * renewals.heartbeatMs) {
    marks.push({ ...mark, kind: 'late', title: 'renewed late during this run', detail: `Until this moment, ${duration(renewals.longestGapMs)} passed between two renewals, planned every ${duration(renewals.heartbeatMs)}; the ttl is ${duration(renewals.ttlMs)}.` });
  }
  return marks;
}

/** Bars that overlap are drawn above each other: the successor above the one that came back late. */
function arrange(bars) {
  const free = [];
  bars.forEach((bar) => {
    const end = Math.max(bar.to ?? Infinity, bar.ghostTo ?? 0);
    let lane = free.findIndex((until) => until <= bar.from);
    if (lane < 0) lane = free.length;
    free[lane] = end;
    bar.lane = lane;
  });
  return Math.max(1, free.length);
}
