// The outcomes of a job as a strip, and how long its runs took.

import { svg } from './dom.js';
import { duration, when } from './time.js';
import { withTip } from './tip.js';

const MOST = 100;

/** In the order of the slots: a slot that was skipped has its outcome before the one that ran. */
export const bySlot = (job) => [...job.outcomes].sort((one, other) => (one.slot < other.slot ? -1 : 1));

/** The last outcomes, the newest at the right, and what is open now. */
export function strip(job) {
  const outcomes = bySlot(job).slice(-MOST).map((one) => ({ word: one.outcome, slot: one.slot, to: one.to, slots: one.slots, reason: one.reason, durationMs: one.durationMs }));
  const cells = [...outcomes, ...job.open.map((one) => ({ word: one.state === 'running' ? 'running' : 'queued', slot: one.slot, reason: one.holder ?? '' }))];
  if (job.overdueMs > 0) cells.push({ word: 'overdue', slot: new Date(Date.now() - job.overdueMs).toISOString(), reason: `due ${duration(job.overdueMs)} ago, and has not begun` });
  const counts = {};
  cells.forEach((cell) => { counts[cell.word] = (counts[cell.word] ?? 0) + 1; });
  const summary = Object.entries(counts).map(([word, count]) => `${count} ${word}`).join(', ') || 'no slots yet';
  const drawing = svg('svg', { class: 'strip', viewBox: `0 0 ${MOST * 8 + 16} 26`, preserveAspectRatio: 'xMaxYMid slice', role: 'img', 'aria-label': `The last slots: ${summary}` });
  const offset = (MOST + 2 - cells.length) * 8;
  cells.forEach((cell, index) => {
    const x = offset + index * 8;
    const high = { ran: 18, failed: 22, skipped: 8, dropped: 8, overdue: 22, running: 18, queued: 12 }[cell.word] ?? 12;
    const group = svg('g', { class: `slot ${cell.word}` }, svg('rect', { class: 'shape', x: x + 1, y: 24 - high, width: 6, height: high, rx: 1.5 }), svg('rect', { class: 'reach', x, y: 0, width: 8, height: 26 }));
    withTip(group, () => [`${cell.word}: slot ${when(cell.slot)}${cell.slots > 1 ? ` and ${cell.slots - 1} more` : ''}`, cell.reason, cell.durationMs > 0 && `took ${duration(cell.durationMs)}`]);
    drawing.append(group);
  });
  return drawing;
}

/** Durations over time, with the p95 and the ttl. */
export function durations(job, advice) {
  const runs = bySlot(job).filter((one) => one.durationMs > 0 && (one.outcome === 'ran' || one.outcome === 'failed')).slice(-MOST);
  if (!runs.length) return svg('svg', { class: 'durations none', width: 0, height: 0, 'aria-hidden': 'true' });
  const sorted = runs.map((one) => one.durationMs).sort((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1];
  const ttl = advice?.ttlMs;
  const most = Math.max(sorted[sorted.length - 1], ttl && ttl < 4 * sorted[sorted.length - 1] ? ttl : 0) * 1.12;
  const [width, height, left, right] = [860, 130, 8, 96];
  const x = (index) => left + ((index + 0.5) * (width - left - right)) / runs.length;
  const y = (ms) => height - 18 - (ms * (height - 30)) / most;
  const line = (ms, name, word) => ms !== undefined && ms <= most && [
    svg('line', { class: `level ${name}`, x1: left, x2: width - right, y1: y(ms), y2: y(ms) }), svg('text', { class: `level-text ${name}`, x: width - right + 6, y: y(ms) + 4 }, `${word} ${duration(ms)}`)];
  const drawing = svg('svg', { class: 'durations', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Durations of the last ${runs.length} runs: worst ${duration(sorted[sorted.length - 1])}, p95 ${duration(p95)}${ttl ? `, ttl ${duration(ttl)}` : ''}` },
    svg('line', { class: 'ground', x1: left, x2: width - right, y1: height - 18, y2: height - 18 }), line(p95, 'p95', 'p95'), line(ttl, 'ttl', 'ttl'));
  const wide = Math.min(10, Math.max(2, (width - left - right) / runs.length - 2));
  runs.forEach((one, index) => drawing.append(withTip(svg('rect', { class: `run ${one.outcome}`, x: x(index) - wide / 2, y: y(one.durationMs), width: wide, height: height - 18 - y(one.durationMs), rx: 1.5 }), () => [`${one.outcome} in ${duration(one.durationMs)}`, `slot ${when(one.slot)}`])));
  drawing.append(svg('text', { class: 'edge', x: left, y: height - 4 }, when(runs[0].slot)), svg('text', { class: 'edge end', x: width - right, y: height - 4 }, when(runs[runs.length - 1].slot)));
  return drawing;
}
