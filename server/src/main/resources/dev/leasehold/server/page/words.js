// What states, events and outcomes are called, and how bad they are.

/** How a lease was when it was read. Since then it may have been renewed, so nothing is concluded from the time that passed. */
export function health(lease) {
  if (lease.state === 'expired') return 'dead';
  if (lease.state === 'resting') return 'resting';
  if (lease.state !== 'held') return 'free';
  if (lease.readAt && Date.parse(lease.readAt) >= Date.parse(lease.deadline)) return 'silent';
  if (!lease.progress) return 'alive';
  return Date.parse(lease.at) - Date.parse(lease.progress.at) > lease.termMs ? 'stuck' : 'working';
}

export const HEALTH = {
  working: { word: 'working', tone: 'good', means: 'The holder renews its lease and reports progress.' },
  alive: { word: 'alive', tone: 'good', means: 'The holder renews its lease. It reports no progress, so nobody can tell whether it is stuck.' },
  stuck: { word: 'stuck', tone: 'warn', means: 'The holder renews its lease, and has made no progress for a whole term.' },
  silent: { word: 'silent', tone: 'warn', means: 'By the clock of the server, the deadline has passed. The store has no clock, so the lease is over when the server has seen it unchanged for a whole term.' },
  dead: { word: 'dead', tone: 'bad', means: 'The holder stopped renewing and did not give the lease back: it crashed, is frozen or is cut off.' },
  resting: { word: 'resting', tone: 'calm', means: 'Given back early; the name stays taken until its minimum hold is over.' },
  free: { word: 'free', tone: 'calm', means: 'Nobody holds it.' },
};

const RUNS = {
  ran: ['ran', 'good'], failed: ['failed', 'bad'], timed_out: ['timed out', 'bad'], killed: ['killed', 'bad'],
  expired: ['expired', 'bad'], taken_over: ['taken over', 'warn'], interrupted: ['interrupted', 'warn'],
  skipped_overlap: ['skipped', 'calm'], stale_refused: ['write refused', 'bad'], strict_refused: ['refused by --strict', 'bad'],
  target_refused: ['refused by its target', 'bad'], changed_outside: ['changed by another program', 'warn'],
  would_refuse: ['written although stale', 'bad'], lost_superseded: ['lost to a newer token', 'bad'],
  lost_lapsed: ['lost: renewed too late', 'bad'], already_done: ['already done', 'calm'],
};

/** The words and the tone of an entry of the log of runs. */
export function run(kind) {
  const [word, tone] = RUNS[kind] ?? [kind.replaceAll('_', ' '), kind.startsWith('lost') ? 'bad' : 'calm'];
  return { word, tone };
}

export const isRefusal = (kind) => ['stale_refused', 'strict_refused', 'target_refused'].includes(kind);

const REASONS = {
  first: 'first owner', released: 'after a release', expired: 'after the lease before it expired',
  takeover: 'takeover', cancelled: 'cancelled by an operator', recovered: 'token raised by an operator',
};
export const reason = (word) => REASONS[word] ?? word;

export const SLOT_TONE = { ran: 'good', skipped: 'calm', dropped: 'calm', failed: 'bad', overdue: 'warn', running: 'accent', queued: 'accent', asked: 'accent' };

/** Whether somebody should look at an event, and how it is told in one line: its detail follows. */
export function alert(event) {
  if (event.type === 'refused') return { tone: 'bad', word: 'refused', says: 'a write with a stale token was refused' };
  if (event.type === 'lost') return { tone: 'bad', word: 'lost', says: 'a run lost its lease' };
  if (event.type === 'slot' && event.outcome === 'failed') return { tone: 'bad', word: 'failed', says: 'a slot failed' };
  if (event.type === 'ended' && ['failed', 'timed_out'].includes(event.outcome)) return { tone: 'bad', word: 'failed', says: 'a run failed' };
  if (event.type === 'ended' && ['killed', 'expired'].includes(event.outcome)) return { tone: 'bad', word: 'lost', says: 'a run ended without giving its lease back' };
  if (event.type === 'ended' && event.outcome === 'changed_outside') return { tone: 'warn', word: 'foreign change', says: 'a target' };
  if (event.type === 'ended' && event.outcome === 'would_refuse') return { tone: 'bad', word: 'stale write', says: 'a stale write was let through (--observe)' };
  if (event.type === 'missed') return { tone: 'warn', word: 'gap', says: 'events are no longer kept' };
  return null;
}
