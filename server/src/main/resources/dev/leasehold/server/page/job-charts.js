// The outcomes of a job as a strip, and how long its runs took.

import { append, el, svg } from './dom.js';
import { duration, exact, storeNow, when } from './time.js';
import { withTip } from './tip.js';

const MOST = 100;

/** In the order of the slots: a slot that was skipped has its outcome before the one that ran. */
export const bySlot = (job) => [...job.outcomes].sort((one, other) => (one.slot < other.slot ? -1 : 1));

/** The last outcomes, the newest at the right, and what is open now. */
export function strip(job) {
  const outcomes = bySlot(job).slice(-MOST).map((one) => ({ word: one.outcome, slot: one.slot, to: one.to, slots: one.slots, reason: one.reason, durationMs: one.durationMs }));
  const cells = [...outcomes, ...job.open.map((one) => ({ word: one.state === 'running' ? 'running' : 'queued', slot: one.slot, reason: one.holder ?? '' }))];
  if (job.overdueMs > 0) cells.push({ word: 'overdue', slot: new Date(storeNow() - job.overdueMs).toISOString(), reason: `due ${duration(job.overdueMs)} ago, and has not begun` });
  const counts = {};
  cells.forEach((cell) => { counts[cell.word] = (counts[cell.word] ?? 0) + 1; });
  const summary = Object.entries(counts).map(([word, count]) => `${count} ${word}`).join(', ');
  if (!cells.length) return el('p', { class: 'hint' }, 'No slot was due yet.');
  const drawing = svg('svg', { class: 'strip', width: cells.length * 8, height: 26, role: 'img', 'aria-label': `The last slots: ${summary}` });
  cells.forEach((cell, index) => {
    const high = { ran: 18, failed: 22, skipped: 8, dropped: 8, overdue: 22, running: 18, queued: 12 }[cell.word] ?? 12;
    const group = svg('g', { class: `slot ${cell.word}` }, svg('rect', { class: 'shape', x: index * 8 + 1, y: 24 - high, width: 6, height: high, rx: 1.5 }), svg('rect', { class: 'reach', x: index * 8, y: 0, width: 8, height: 26 }));
    withTip(group, () => [`${cell.word}: slot ${when(cell.slot)}${cell.slots > 1 ? ` and ${cell.slots - 1} more` : ''}`, cell.reason, cell.durationMs > 0 && `took ${duration(cell.durationMs)}`, exact(cell.slot)]);
    drawing.append(group);
  });
  return el('div', { class: 'strip-row' }, el('div', { class: 'strip-box' }, drawing), el('span', { class: 'hint' }, summary));
}

/** Durations over time, with the p95 and the ttl. @param ttl in milliseconds; undefined if it is not known */
export function durations(job, ttl, room) {
  const runs = bySlot(job).filter((one) => one.durationMs > 0 && (one.outcome === 'ran' || one.outcome === 'failed')).slice(-MOST);
  if (!runs.length) return el('p', { class: 'hint' }, 'No slot has run yet.');
  const sorted = runs.map((one) => one.durationMs).sort((a, b) => a - b);
  const worst = sorted[sorted.length - 1];
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1];
  // A ttl far above would make all runs look alike: it is told at the top edge instead.
  const above = ttl > 4 * worst;
  const most = (ttl && !above ? Math.max(worst, ttl) : worst) * 1.15;
  const [width, height, left, right] = [Math.min(860, Math.max(280, room)), 140, 2, 104];
  const [top, ground] = [16, height - 18];
  const x = (index) => left + ((index + 0.5) * (width - left - right)) / runs.length;
  const y = (ms) => ground - (ms * (ground - top)) / most;
  const near = ttl && !above && Math.abs(y(p95) - y(ttl)) < 12;
  const line = (name, word, at, shift = 0) => [svg('line', { class: `level ${name}`, x1: left, x2: width - right, y1: at, y2: at }), svg('text', { class: `level-text ${name}`, x: width - right + 6, y: at + 4 + shift }, word)];
  const drawing = svg('svg', { class: 'durations', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Durations of the last ${runs.length} runs: worst ${duration(worst)}, p95 ${duration(p95)}, ttl ${ttl ? duration(ttl) : 'not known'}` },
    svg('line', { class: 'ground', x1: left, x2: width - right, y1: ground, y2: ground }));
  const wide = Math.min(10, Math.max(1, (width - left - right) / runs.length - 2));
  runs.forEach((one, index) => drawing.append(withTip(svg('rect', { class: `run ${one.outcome}`, x: x(index) - wide / 2, y: y(one.durationMs), width: wide, height: Math.max(1, ground - y(one.durationMs)), rx: 1.5 }), () => [`${one.outcome} in ${duration(one.durationMs)}`, `slot ${when(one.slot)}`, exact(one.slot)])));
  append(drawing, [line('p95', `p95 ${duration(p95)}`, y(p95), near ? (p95 > ttl ? -6 : 8) : 0),
    ttl && (above ? line('ttl', `ttl ${duration(ttl)}, above \u2191`, 6) : line('ttl', `ttl ${duration(ttl)}`, y(ttl), near ? (p95 > ttl ? 8 : -6) : 0))]);
  drawing.append(svg('text', { class: 'edge', x: left, y: height - 4 }, when(runs[0].slot)), svg('text', { class: 'edge end', x: width - right, y: height - 4 }, when(runs[runs.length - 1].slot)));
  return drawing;
}
