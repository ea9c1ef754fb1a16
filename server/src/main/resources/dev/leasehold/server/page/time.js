// Times and durations, in the zone of the viewer.

import { el } from './dom.js';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const short = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const base = { at: Date.now(), measured: performance.now(), known: false };

/** Remembers what the store's clock said just now. */
export function storeClockSays(iso) {
  const at = Date.parse(iso);
  if (!base.known || at > storeNow()) {
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

export const ago = (iso) => `${duration(storeNow() - Date.parse(iso))} ago`;

export const clockTime = (ms) => clock.format(ms);
export const minuteTime = (ms) => short.format(ms);
export const dayName = (ms) => day.format(ms);

/** 14:03:22 today, Nov 16 14:03:22 otherwise. */
export function when(iso) {
  const at = new Date(iso);
  const today = new Date(storeNow()).toDateString() === at.toDateString();
  return today ? clock.format(at) : `${day.format(at)} ${clock.format(at)}`;
}

export const exact = (iso) => `${iso} (${full.format(new Date(iso))})`;

/** A moment: readable, with the exact instant on hover. */
export const time = (iso, text) => el('time', { datetime: iso, title: exact(iso) }, text ?? when(iso));

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence whose instants become moments of the viewer's zone. */
export function sentence(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(INSTANT)) {
    parts.push(text.slice(from, found.index), time(found[0]));
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}
