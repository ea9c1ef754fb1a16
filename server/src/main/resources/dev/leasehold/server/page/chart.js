// One lease as SVG: bars of ownership with their tokens, and what happened as marks.

import { svg } from './dom.js';
import { clockTime, dayName, duration, exact, minuteTime } from './time.js';
import { withTip } from './tip.js';

const BAR = 18;
const LEAST = 50;
const APART = 15;

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
    ticks(range.from, range.to, width).map((tick) => svg('text', { x: x(tick.at), y: 15, class: tick.strong ? 'strong' : '' }, tick.text)));
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
  model.bars.filter((bar) => inRange(bar.from, Math.max(bar.to ?? now, bar.ghostTo ?? 0, bar.deadline ?? 0)))
    .forEach((bar) => drawing.append(...drawBar(bar, x, y(bar.lane), now, width)));
  if (now >= range.from && now <= range.to) drawing.append(svg('line', { class: 'now', x1: x(now), x2: x(now), y1: 0, y2: height }));
  placed(model.marks.filter((mark) => inRange(mark.at, mark.at)), x).forEach(({ mark, at }) => drawing.append(drawMark(mark, model, at, y, height)));
  return drawing;
}

/** Marks that would cover each other are drawn beside each other. */
function placed(marks, x) {
  const last = new Map();
  return marks.map((mark) => {
    const key = mark.kind === 'skip' ? 'skip' : mark.lane;
    const at = Math.max(x(mark.at), mark.kind === 'skip' ? -Infinity : (last.get(key) ?? -Infinity) + APART);
    // A write that bounces off needs more room.
    last.set(key, at + (mark.kind === 'refused' ? 8 : 0));
    return { mark, at };
  });
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
    const from = Math.max(left, x(bar.frozenFrom));
    if (right - from > 0.5) group.append(svg('rect', { class: 'frozen', x: from, y, width: right - from, height: BAR, rx: 3, fill: 'url(#frozen)' }));
  }
  const room = right - left;
  const text = `#${bar.token} ${bar.holder}`;
  const most = Math.floor((room - 12) / 6.7);
  if (most >= `#${bar.token}`.length) {
    const stands = bar.frozenFrom !== undefined && x(bar.frozenFrom) < left + 30;
    group.append(svg('text', { class: stands ? 'on-frozen' : '', x: left + 6, y: y + BAR / 2 + 4 }, text.length <= most ? text : most > `#${bar.token}`.length + 4 ? `${text.slice(0, most - 1)}\u2026` : `#${bar.token}`));
  }
  withTip(group, () => barWords(bar, to));
  parts.push(group);
  return parts;
}

function barWords(bar, to) {
  return [
    `#${bar.token} ${bar.holder}`,
    `from ${clockTime(bar.from)} ${bar.to === null ? 'until now' : bar.vague ? `until some time before ${clockTime(bar.to)}` : `to ${clockTime(bar.to)}`} (${duration(to - bar.from)})`,
    ENDS[bar.end] ?? bar.end,
    bar.frozenFrom !== undefined && (bar.end === 'held' ? `no progress since ${clockTime(bar.frozenFrom)}` : bar.guessed ? 'when it stopped renewing is not known' : `last renewed at ${clockTime(bar.frozenFrom)} or before`),
    bar.ghostTo !== undefined && `its process went on until ${clockTime(bar.ghostTo)} at least`,
    bar.note && `reason: ${bar.note}`,
  ].filter(Boolean);
}

export function markWords(mark) {
  return [`${mark.title}${mark.token === undefined ? '' : ` #${mark.token}`}`, mark.by, mark.detail, exact(new Date(mark.at).toISOString())].filter(Boolean);
}

function drawMark(mark, model, x, y, height) {
  const top = y(mark.lane);
  const middle = top + BAR / 2;
  const group = svg('g', { class: `mark ${mark.kind}`, tabindex: 0, role: 'img', 'aria-label': markWords(mark).join(', ') });
  const above = model.bars.find((bar) => bar.token !== mark.token && bar.lane > mark.lane && bar.from <= mark.at && (bar.to ?? Infinity) >= mark.at);
  if (mark.kind === 'refused') {
    if (above) {
      // The late write goes up to the successor and bounces off.
      const wall = y(above.lane) + BAR + 1.5;
      group.append(svg('line', { class: 'wall', x1: x - 7, x2: x + 7, y1: wall, y2: wall }),
        svg('path', { class: 'bounce', d: `M${x - 5} ${middle}L${x} ${wall + 2}L${x + 9} ${middle - 1}`, 'marker-end': 'url(#bounce)' }));
    }
    group.append(svg('circle', { class: 'dot', cx: x - (above ? 5 : 0), cy: middle, r: 5.5 }), svg('path', { class: 'cross', d: cross(x - (above ? 5 : 0), middle, 2.4) }));
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
  return withTip(group, () => markWords(mark));
}

const cross = (x, y, size) => `M${x - size} ${y - size}L${x + size} ${y + size}M${x + size} ${y - size}L${x - size} ${y + size}`;
