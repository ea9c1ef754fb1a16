// What an operator does, after saying why and reading what will happen to whom.

import { attempt, post } from './api.js';
import { append, el, replace, setText } from './dom.js';
import { duration } from './time.js';

/**
 * Asks for a reason, makes the call, and shows what came of it.
 *
 * @param plan title, consequences (sentences), button, send(reason, attempt, choice) and told(answer);
 *     choice is [label, [[value, word], ...]] or undefined
 */
export function ask(plan) {
  const id = attempt();
  const reason = el('textarea', { id: 'reason', rows: '2', maxlength: '500', required: plan.reason !== 'optional', 'aria-describedby': 'reason-hint' });
  const choice = plan.choice && el('select', { id: 'choice' }, plan.choice[1].map(([value, word]) => el('option', { value }, word)));
  const result = el('p', { class: 'result', role: 'alert' });
  const go = el('button', { class: plan.danger ? 'danger' : 'primary' }, plan.button);
  const cancel = el('button', { type: 'button', on: { click: () => dialog.close() } }, 'Do nothing');
  const form = el('form', { method: 'dialog' },
    el('h2', { id: 'dialog-title' }, plan.title),
    el('ul', {}, plan.consequences.filter(Boolean).map((line) => el('li', {}, line))),
    choice && el('label', { for: 'choice' }, plan.choice[0]), choice,
    el('label', { for: 'reason' }, 'Reason'), reason,
    el('p', { class: 'hint', id: 'reason-hint' }, 'Kept in the history, with your key. Printable ASCII.'),
    result, el('div', { class: 'buttons' }, cancel, go));
  const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' }, form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    go.disabled = true;
    result.className = 'result';
    setText(result, 'Asking the server');
    try {
      const told = plan.told(await plan.send(reason.value.trim(), id, choice?.value));
      replace(form, el('h2', { id: 'dialog-title' }, 'Done'), el('p', { class: 'result good', role: 'status' }, told),
        el('div', { class: 'buttons' }, el('button', { type: 'button', class: 'primary', on: { click: () => dialog.close() } }, 'Close')));
      form.querySelector('button').focus();
    } catch (e) {
      result.className = 'result bad';
      replace(result);
      append(result, [e.message || e.title, e.passes ? ' Press the button again: it is the same change, not a second one.' : '']);
      go.disabled = false;
    }
  });
  const before = document.activeElement;
  dialog.addEventListener('close', () => { dialog.remove(); before?.focus?.(); plan.closed?.(); });
  document.body.append(dialog);
  dialog.showModal();
  (choice ?? reason).focus();
}

const MINUTE = 60_000;

/** Nothing here stops a process: it learns of the loss when it renews. */
const goesOn = (lease) => `The process of ${lease.holder} goes on until it notices, which is at its next renewal (its ttl is ${duration(lease.termMs)}). 'leasehold run' then stops its command; another program may never look. To be sure, end it on its machine.`;

export const takeover = (lease, closed) => ask({
  title: `Take over ${lease.name}`, button: 'Take over', danger: true, closed,
  consequences: [
    lease.state === 'held' && `${lease.holder} loses the lease now. Its token ${lease.token} can no longer be renewed.`,
    lease.state === 'held' && goesOn(lease),
    `The token rises above ${lease.token}. A target refuses what is still written with ${lease.token} from the moment that it sees the new token, and not before.`,
    'You hold the lease, and nobody renews it: it is free again when the time below is over.',
    `Nothing happens if somebody else became the owner meanwhile.`,
  ],
  choice: ['Hold it for', [[5 * MINUTE, '5 minutes'], [MINUTE, '1 minute'], [60 * MINUTE, '1 hour']]],
  send: (reason, id, ttl) => post('/v1/leases/takeover', { name: lease.name, reason, ttlMs: Number(ttl), holder: 'page', attempt: id, ifToken: lease.token }),
  told: (grant) => `${grant.name} is held by ${grant.holder} with token ${grant.token}. Token ${lease.token} is over.`,
});

export const cancel = (lease, closed) => ask({
  title: `Cancel ${lease.name}`, button: 'Cancel the lease', danger: true, closed,
  consequences: [
    `${lease.holder} loses the lease now.`, goesOn(lease),
    `The token rises above ${lease.token}, and the lease is free: the next run can start at once, also while the old process still runs. Targets refuse the old one when they have seen the token of the next run.`,
    'Nothing happens if somebody else became the owner meanwhile.',
  ],
  send: (reason, id) => post('/v1/leases/cancel', { name: lease.name, reason, holder: 'page', attempt: id, ifToken: lease.token }),
  told: (grant) => `${grant.name} is free. Its token is ${grant.token} now; token ${lease.token} is over.`,
});

export const release = (lease, closed) => ask({
  title: `Release ${lease.name}`, button: 'Release', danger: true, closed,
  consequences: [
    `The lease is given back in the name of ${lease.holder}, and is free for the next run.`,
    `The token stays ${lease.token}: until somebody takes the lease, targets still accept its writes. If that holder may be running, cancel instead.`,
  ],
  send: (reason) => post('/v1/leases/release', { name: lease.name, token: lease.token, reason }),
  told: () => `${lease.name} is free.`,
});

export const pause = (job, closed) => ask({
  title: `Pause ${job.name}`, button: 'Pause', closed,
  consequences: ['Its slots are dropped from now on, on every machine. What is running goes on.'],
  send: (reason) => post('/v1/jobs/pause', { name: job.name, reason, holder: 'page' }),
  told: () => `${job.name} is paused.`,
});

export const resume = (job, closed) => ask({
  title: `Resume ${job.name}`, button: 'Resume', closed,
  consequences: ['Its slots run again from now on. Those that were dropped stay dropped.'],
  send: (reason) => post('/v1/jobs/resume', { name: job.name, reason, holder: 'page' }),
  told: () => `${job.name} runs again.`,
});

export const runNow = (job, closed) => ask({
  title: `Run ${job.name} now`, button: 'Run now', closed,
  consequences: ['One of the machines that run this job starts it, once, as soon as it looks. If none does within ten minutes, the request is dropped.'],
  send: (reason, id) => post('/v1/jobs/start', { name: job.name, attempt: id, reason, holder: 'page' }),
  told: (answer) => `Asked for. Its outcome will be listed under the slot ${answer.slot}; it is ${answer.state} now.`,
});

export const retry = (item, closed) => ask({
  title: `Retry ${item.key} of ${item.name}`, button: 'Retry', closed,
  consequences: ['The item is open again. The next run continues it from its last checkpoint; nothing is started by this.',
    item.state === 'running' && `It is recorded as running. If its old run (${item.holder}, token ${item.token}) still lives, what it reports from now on is refused.`],
  send: (reason) => post('/v1/work/retry', { name: item.name, key: item.key, reason }),
  told: () => `${item.key} is open; the next run does it.`,
});
