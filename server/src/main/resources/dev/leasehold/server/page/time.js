// Times and durations, in the zone of the viewer.

import { el } from './dom.js';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const short = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const zoneShort = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });

const base = { at: Date.now(), measured: performance.now(), known: false };

/** Remembers what the store's clock said just now. */
export function storeClockSays(iso) {
  const at = Date.parse(iso);
  if (at > 0 && (!base.known || at > storeNow())) {
    base.at = at;
    base.measured = performance.now();
    base.known = true;
  }
}

/** The store's time now, in milliseconds. The clock of this machine may be wrong. */
export const storeNow = () => base.at + (performance.now() - base.measured);

/** 4m 12s: at most two units, whole seconds from ten seconds on. */
export function duration(ms) {
  const s = Math.max(0, ms) / 1000;
  if (s < 1) return `${Math.round(s * 1000)} ms`;
  if (s < 10) return `${(Math.floor(s * 10) / 10).toFixed(1)} s`;
  if (s < 60) return `${Math.floor(s)} s`;
  const parts = [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]];
  const first = parts.findIndex(([, size]) => s >= size);
  const [unit, size] = parts[first];
  const rest = Math.floor((s % size) / parts[first + 1][1]);
  return `${Math.floor(s / size)}${unit} ${String(rest).padStart(2, '0')}${parts[first + 1][0]}`;
}

/** Whole seconds that are left, the same wherever they are shown. */
export const countdown = (ms) => (ms > 0 ? duration(Math.max(1000, Math.floor(ms / 1000) * 1000)) : 'renewal due');

export const ago = (iso) => `${duration(storeNow() - Date.parse(iso))} ago`;

export const clockTime = (ms) => clock.format(ms);
export const minuteTime = (ms) => short.format(ms);
export const dayName = (ms) => day.format(ms);

/** The zone in which the page shows times, with its name at a moment: it may have summer time. */
export const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
export const zoneAt = (ms) => zoneShort.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? '';

const isToday = (at) => new Date(storeNow()).toDateString() === at.toDateString();

/** 14:03:22 today, Nov 16 14:03:22 otherwise. What is no moment of this calendar stays as it is. */
export function when(moment) {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return String(moment);
  return isToday(at) ? clock.format(at) : `${day.format(at)} ${clock.format(at)}`;
}

/** A moment of a schedule: with the zone, and in the zone of the schedule if its clock shows another time. */
export function scheduled(iso, own) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return time(iso);
  const here = `${when(iso)} ${zoneAt(at)}`;
  let there = '';
  try {
    const other = new Intl.DateTimeFormat(undefined, { timeZone: own, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(at);
    if (own && other !== clock.format(at)) there = ` (${other} ${own})`;
  } catch { /* A zone that this browser does not know. */ }
  return time(iso, here + there);
}

export function exact(iso) {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? String(iso) : `${iso} (${full.format(at)})`;
}

/** A moment: readable, with the exact instant on hover. */
export const time = (iso, text) => el('time', { datetime: iso, title: exact(iso) }, text ?? when(iso));

const SPECIAL = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|'leasehold [^']{1,400}'/g;

/** A sentence whose instants become moments of the viewer's zone, and whose commands look like such. */
export function sentence(text) {
  const parts = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(SPECIAL)) {
    parts.push(text.slice(from, index), found.startsWith("'") ? el('code', {}, found.slice(1, -1)) : time(found));
    from = index + found.length;
  }
  parts.push(text.slice(from));
  return parts;
}
