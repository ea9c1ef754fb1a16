// One lease as SVG: bars of ownership with their tokens, and what happened as marks.

import { svg } from './dom.js';
import { clockTime, dayName, duration, exact, minuteTime, when } from './time.js';
import { withTip } from './tip.js';

const BAR = 18;
const LEAST = 50;
const NEAR = 13;
/** The worst of several marks that would cover each other is drawn. */
const WORST = ['refused', 'lost', 'failed', 'foreign', 'takeover', 'operator', 'expiry', 'late', 'skip'];
const MOST_TOLD = 6;

/** The hatch of a holder that stands still. Ids are for the whole page, so it is defined once. */
export function patterns() {
  return svg('svg', { class: 'defs', width: 0, height: 0, 'aria-hidden': 'true', focusable: 'false' }, svg('defs', {},
    svg('pattern', { id: 'frozen', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
      svg('rect', { class: 'frozen-ground', width: 6, height: 6 }), svg('rect', { class: 'frozen-line', width: 2.4, height: 6 })),
    svg('marker', { id: 'bounce', viewBox: '0 0 6 6', refX: 4, refY: 3, markerWidth: 5, markerHeight: 5, orient: 'auto' }, svg('path', { class: 'bounce-head', d: 'M0 0L6 3L0 6z' }))));
}

const ROUND = [1, 2, 5, 10, 15, 30].map((s) => s * 1000).concat([1, 2, 5, 10, 15, 30].map((m) => m * 60_000),
  [1, 2, 3, 6, 12].map((h) => h * 3_600_000), [1, 2, 7].map((d) => d * 86_400_000));

/** Moments for a grid, in the zone of the viewer. */
export function ticks(from, to, width) {
  const step = ROUND.find((one) => (width * one) / (to - from) > 78) ?? ROUND[ROUND.length - 1];
  const shift = new Date(from).getTimezoneOffset() * 60_000;
  const found = [];
  for (let at = Math.ceil((from - shift) / step) * step + shift; at < to; at += step) {
    const midnight = new Date(at).getHours() === 0 && new Date(at).getMinutes() === 0;
    found.push({ at, text: step >= 86_400_000 || (midnight && step >= 60_000) ? dayName(at) : step < 60_000 ? clockTime(at) : minuteTime(at), strong: midnight });
  }
  return found;
}

export function axis(range, width) {
  const x = scale(range, width);
  return svg('svg', { class: 'axis', width, height: 22, 'aria-hidden': 'true', focusable: 'false' },
    ticks(range.from, range.to, width).map((tick) => svg('text', { x: Math.max(18, x(tick.at)), y: 15, class: tick.strong ? 'strong' : '' }, tick.text)));
}

const scale = (range, width) => (at) => ((at - range.from) * width) / (range.to - range.from);

/** @param range {from, to} in milliseconds; @param now the store's time */
export function lane(name, model, range, width, now) {
  // Between a bar and its successor there is room for the write that bounces off.
  const step = BAR + 18;
  const height = Math.max(LEAST, 28 + (model.lanes - 1) * step + BAR);
  const bottom = (height + (model.lanes - 1) * step - BAR) / 2;
  const x = scale(range, width);
  // The first lane is at the bottom, so that a successor is above.
  const y = (index) => bottom - index * step;
  const drawing = svg('svg', { class: 'lane', width, height, role: 'group', 'aria-label': `Timeline of ${name}` },
    ticks(range.from, range.to, width).map((tick) => svg('line', { class: tick.strong ? 'grid strong' : 'grid', x1: x(tick.at), x2: x(tick.at), y1: 0, y2: height })));
  const inRange = (from, to) => to >= range.from && from <= range.to;
  const bars = model.bars.filter((bar) => inRange(bar.from, Math.max(bar.to ?? now, bar.ghostTo ?? 0, bar.deadline ?? 0)));
  if (model.known !== null && range.from < model.known) drawing.append(...unknown(Math.min(width, x(model.known)), height));
  bars.forEach((bar) => drawing.append(...drawBar(bar, x, y(bar.lane), now, width)));
  if (now >= range.from && now <= range.to) drawing.append(svg('line', { class: 'now', x1: x(now), x2: x(now), y1: 0, y2: height }));
  const marks = model.marks.filter((mark) => inRange(mark.at, mark.at));
  clusters(marks, x).forEach((cluster) => drawing.append(drawCluster(cluster, model, x, y, height)));
  if (!bars.length && !marks.length && model.bars.length) drawing.append(svg('text', { class: 'nothing', x: 12, y: height / 2 + 4 }, nothing(model, range, now)));
  return drawing;
}

function unknown(width, height) {
  return [svg('rect', { class: 'unknown', x: 0, y: 0, width, height }), width > 90 && svg('text', { class: 'nothing', x: width - 8, y: height - 6, 'text-anchor': 'end' }, 'no longer kept')].filter(Boolean);
}

/** An empty row says where to look. */
function nothing(model, range, now) {
  const before = model.bars.filter((bar) => (bar.to ?? now) < range.from).pop();
  return before ? `\u2190 nothing here; last: #${before.token} ${before.holder}, until ${when(before.to ?? now)}` : `first owner at ${when(model.bars[0].from)} \u2192`;
}

/** Marks that would cover each other are one: it stands at the moment of the worst of them, and tells them all. */
function clusters(marks, x) {
  const open = new Map();
  const found = [];
  for (const mark of marks) {
    const key = mark.kind === 'skip' ? 'skip' : mark.lane;
    const last = open.get(key);
    // A write that bounces off needs more room.
    if (last && x(mark.at) - x(last[0].at) < (last[0].kind === 'refused' ? 2 * NEAR : NEAR)) {
      last.push(mark);
    } else {
      open.set(key, [mark]);
      found.push(open.get(key));
    }
  }
  return found;
}

function drawCluster(cluster, model, x, y, height) {
  const [worst] = [...cluster].sort((one, other) => WORST.indexOf(one.kind) - WORST.indexOf(other.kind));
  const words = () => cluster.slice(0, MOST_TOLD).flatMap(markWords).concat(cluster.length > MOST_TOLD ? `and ${cluster.length - MOST_TOLD} more: zoom in` : []);
  const group = drawMark(worst, model, x(worst.at), y, height, words());
  // Only those of its kind are counted: whoever reads 2× beside a refused write takes it for two refusals.
  const same = cluster.filter((mark) => mark.kind === worst.kind).length;
  if (same > 1 && worst.kind !== 'skip') group.append(svg('text', { class: 'times', 'text-anchor': 'end', x: x(worst.at) - 8, y: y(worst.lane) + BAR / 2 + 4 }, `${same}\u00d7`));
  return withTip(group, words);
}

const ENDS = { released: 'given back', expired: 'stopped renewing, and expired', takeover: 'taken over', cancelled: 'cancelled', recovered: 'ended by a repair', held: 'held now' };

function drawBar(bar, x, y, now, width) {
  const to = bar.to ?? now;
  const left = Math.max(-4, x(bar.from));
  const right = Math.min(width + 4, Math.max(x(to), left + 3));
  const parts = [];
  if (bar.ghostTo) {
    parts.push(svg('line', { class: 'ghost', x1: right, x2: Math.min(width, x(bar.ghostTo)), y1: y + BAR / 2, y2: y + BAR / 2 }));
  }
  const group = svg('g', { class: `bar ${bar.end}${bar.vague ? ' vague' : ''}`, tabindex: 0, role: 'img', 'aria-label': barWords(bar, to).join('. ') },
    svg('rect', { class: 'body', x: left, y, width: right - left, height: BAR, rx: 3 }));
  if (bar.deadline && bar.deadline > now) {
    group.append(svg('rect', { class: 'promise', x: right, y: y + 0.5, width: Math.max(0, Math.min(width, x(bar.deadline)) - right), height: BAR - 1, rx: 2 }));
  }
  if (bar.frozenFrom !== undefined) {
    // However short, that it stood still is visible.
    const from = Math.max(left, Math.min(x(bar.frozenFrom), right - 3));
    if (right - from > 0.5) group.append(svg('rect', { class: 'frozen', x: from, y, width: right - from, height: BAR, rx: 3, fill: 'url(#frozen)' }));
  }
  const text = `#${bar.token} ${bar.holder}`;
  const stands = bar.frozenFrom !== undefined && x(bar.frozenFrom) < left + 30;
  const start = stands ? Math.max(left, x(bar.frozenFrom)) : left;
  const most = Math.floor((right - start - 12) / 6.7);
  if (most >= `#${bar.token}`.length) {
    group.append(svg('text', { class: stands ? 'on-frozen' : '', x: start + 6, y: y + BAR / 2 + 4 }, text.length <= most ? text : most > `#${bar.token}`.length + 4 ? `${text.slice(0, most - 1)}\u2026` : `#${bar.token}`));
  }
  withTip(group, () => barWords(bar, to));
  parts.push(group);
  return parts;
}

function barWords(bar, to) {
  return [
    `#${bar.token} ${bar.holder}`,
    `from ${when(bar.from)} ${bar.to === null ? 'until now' : bar.vague ? `until some time before ${when(bar.to)}` : `to ${when(bar.to)}`} (${duration(to - bar.from)})`,
    ENDS[bar.end] ?? bar.end,
    bar.frozenFrom !== undefined && (bar.end === 'held' ? `no progress since ${when(bar.frozenFrom)}` : bar.guessed ? 'when it stopped renewing is not known' : `last renewed at ${when(bar.frozenFrom)} or before`),
    bar.ghostTo !== undefined && `its process went on until ${when(bar.ghostTo)} at least`,
    bar.note && `reason: ${bar.note}`,
    `since ${new Date(bar.from).toISOString()}`,
  ].filter(Boolean);
}

export function markWords(mark) {
  return [`${mark.title}${mark.token === undefined ? '' : ` #${mark.token}`} at ${when(mark.at)}`, mark.by, mark.detail, exact(new Date(mark.at).toISOString())].filter(Boolean);
}

function drawMark(mark, model, x, y, height, words) {
  const top = y(mark.lane);
  const middle = top + BAR / 2;
  const group = svg('g', { class: `mark ${mark.kind}`, tabindex: 0, role: 'img', 'aria-label': words.join(', ') });
  const above = model.bars.find((bar) => bar.token !== mark.token && bar.lane > mark.lane && bar.from <= mark.at && (bar.to ?? Infinity) >= mark.at);
  if (mark.kind === 'refused') {
    // The late write goes up to the successor and bounces off.
    if (above) group.append(...bounce(x, middle, y(above.lane) + BAR + 3));
    group.append(svg('circle', { class: 'dot', cx: x, cy: middle, r: 5.5 }), svg('path', { class: 'cross', d: cross(x, middle, 2.4) }));
  } else if (mark.kind === 'takeover' || mark.kind === 'operator') {
    group.append(svg('path', { class: 'flag', d: `M${x} ${top + BAR + 4}V${top - 4}l7 4l-7 4` }));
  } else if (mark.kind === 'expiry') {
    group.append(svg('path', { class: 'gem', d: `M${x} ${middle - 6}l5 6l-5 6l-5 -6z` }));
  } else if (mark.kind === 'foreign') {
    group.append(svg('rect', { class: 'dot', x: x - 4, y: middle - 4, width: 8, height: 8 }));
  } else if (mark.kind === 'skip') {
    group.append(svg('line', { class: 'tick', x1: x, x2: x, y1: height - 7, y2: height - 1 }));
  } else {
    group.append(svg('circle', { class: 'dot', cx: x, cy: middle, r: 4.5 }));
    if (mark.kind === 'lost' || mark.kind === 'failed') group.append(svg('path', { class: 'cross', d: cross(x, middle, 2) }));
  }
  group.append(svg('rect', { class: 'reach', x: x - 9, y: mark.kind === 'skip' ? height - 10 : top - 4, width: 18, height: mark.kind === 'skip' ? 10 : BAR + 8 }));
  return group;
}

const bounce = (x, middle, wall) => [
  svg('line', { class: 'wall', x1: x - 1, x2: x + 15, y1: wall, y2: wall }),
  svg('path', { class: 'bounce', d: `M${x + 2} ${middle - 4}L${x + 7} ${wall + 2}L${x + 14} ${middle - 2}`, 'marker-end': 'url(#bounce)' })];

/** What a mark or a bar looks like, for the legend. */
export function sample(kind) {
  const width = kind === 'refused' ? 26 : 16;
  const drawing = svg('svg', { class: `sample ${kind}`, width, height: 22, viewBox: `0 0 ${width} 22`, 'aria-hidden': 'true', focusable: 'false' });
  if (kind === 'refused') drawing.append(svg('g', { class: 'mark refused' }, bounce(7, 15, 3), svg('circle', { class: 'dot', cx: 7, cy: 15, r: 5.5 }), svg('path', { class: 'cross', d: cross(7, 15, 2.4) })));
  else drawing.append(drawMark({ kind, lane: 0, at: 0 }, { bars: [] }, kind === 'takeover' ? 5 : 8, () => 2, 16, []));
  drawing.querySelectorAll('[tabindex]').forEach((one) => { one.removeAttribute('tabindex'); one.removeAttribute('role'); });
  return drawing;
}

const cross = (x, y, size) => `M${x - size} ${y - size}L${x + size} ${y + size}M${x + size} ${y - size}L${x - size} ${y + size}`;
