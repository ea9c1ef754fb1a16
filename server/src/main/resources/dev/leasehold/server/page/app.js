// The frame of the page: who looks, which view, and whether it is live.

import { hasKey, onDenied, onReading, setKey, takeKeyFromAddress } from './api.js';
import { el, replace, setText } from './dom.js';
import { State } from './state.js';
import { duration, storeNow, when, zone, zoneAt } from './time.js';
import { hideTip } from './tip.js';
import { leasesView } from './leases.js';
import { leaseView } from './lease.js';
import { timelineView } from './timeline.js';
import { jobsView } from './jobs.js';
import { workView } from './work.js';
import { targetsView } from './targets.js';

const VIEWS = [
  ['leases', 'Leases', leasesView],
  ['timeline', 'Timeline', timelineView],
  ['jobs', 'Jobs', jobsView],
  ['work', 'Work items', workView],
  ['targets', 'Targets', targetsView],
  ['lease', null, leaseView],
];

const content = document.getElementById('content');
const nav = document.getElementById('nav');
const live = document.getElementById('live');
const who = document.getElementById('who');
const zoned = document.getElementById('zone');
const notice = document.getElementById('notice');
const LONGEST_RETRY = 15_000;

let state = null;
let shown = null;
let failing = null;
let retry = 0;

function address() {
  const [, path, text] = /^#\/([\w-]*)\??(.*)$/.exec(location.hash) ?? [null, '', ''];
  return { path: path || 'leases', parameters: new URLSearchParams(text) };
}

function showView() {
  // The fragment of the skip link is no view.
  if (location.hash && !location.hash.startsWith('#/')) return;
  hideTip();
  document.querySelector('dialog')?.close();
  const { path, parameters } = address();
  const [name, title, view] = VIEWS.find(([known]) => known === path) ?? VIEWS[0];
  const within = content.contains(document.activeElement);
  shown?.close?.();
  showNav(name);
  const root = el('div', { class: `view view-${name}` });
  replace(content, root);
  shown = view(root, parameters, state) ?? null;
  document.title = `${title ?? parameters.get('name') ?? ''} · Leasehold`;
  // What had the focus is gone: the keyboard and the screen reader go on in the new view.
  if (within) content.focus({ preventScroll: true });
}

/** The links stay, because one of them may have the focus. */
function showNav(name) {
  if (!nav.children.length) {
    replace(nav, VIEWS.filter(([, word]) => word).map(([known, word]) => el('a', { href: `#/${known}`, 'data-view': known }, word)));
  }
  for (const link of nav.children) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  }
}

function showLive() {
  if (!state) return;
  const { live: isLive, since, why } = state.live;
  live.className = isLive ? 'live' : why === 'connecting' ? '' : 'stale';
  setText(live, isLive ? 'Live' : why === 'connecting' ? 'Connecting' : `Not live since ${when(since)}`);
  live.title = isLive ? 'What happens appears here by itself, some seconds later.' : why;
  const gone = isLive ? 0 : storeNow() - since;
  const unread = failing ? performance.now() - failing.since : 0;
  notice.hidden = Math.max(gone, unread) < 3000;
  if (notice.hidden) return;
  const length = (ms) => duration(Math.floor(ms / 5000) * 5000);
  setText(notice, (gone >= 3000 ? `This page has not been live since ${when(since)} (for ${length(gone)}): ${why}.` : `What is shown could not be read again for ${length(unread)}: ${failing.why}.`)
    .replace(/\.\.$/, '.') + ' What you see may be out of date. The page tries again by itself.');
}

function showWho() {
  const { owner, role, prefix } = state.access;
  setText(zoned, zoneAt(storeNow()));
  zoned.title = `All times are in the zone of this browser: ${zone}`;
  replace(who, `${owner ?? 'no key needed'} · ${role}`, prefix && ` · ${prefix}`,
    hasKey() && el('button', { type: 'button', class: 'quiet', on: { click: () => askForKey('') } }, 'Sign out'));
}

function askForKey(why) {
  state?.stop();
  state = null;
  shown?.close?.();
  shown = null;
  document.querySelector('dialog')?.close();
  setKey(null);
  replace(nav);
  replace(who);
  setText(live, '');
  setText(zoned, '');
  clearTimeout(retry);
  live.className = '';
  notice.hidden = true;
  const input = el('input', { id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true, 'aria-describedby': 'key-help' });
  replace(content, el('form', { class: 'sign-in', on: { submit: (event) => {
    event.preventDefault();
    setKey(input.value.trim());
    start();
  } } },
    el('h1', {}, 'A key is needed'),
    why && el('p', { class: 'bad', role: 'alert' }, why),
    el('label', { for: 'key' }, 'Key'), input,
    el('button', { class: 'primary' }, 'Open'),
    el('p', { id: 'key-help', class: 'hint' }, 'An operator makes one with ', el('code', {}, 'leasehold keys add NAME --role reader'),
      '. It stays in this tab, and is sent to this server only.')));
  input.focus();
  document.title = 'Leasehold';
}

async function start(pause = 2000) {
  clearTimeout(retry);
  state?.stop();
  const current = new State();
  state = current;
  if (!content.querySelector('.unread')) replace(content, el('p', { class: 'loading', role: 'status' }, 'Reading the leases'));
  current.addEventListener('live', showLive);
  try {
    await current.start();
    if (state !== current) { current.stop(); return; }
    showWho();
    showView();
    showLive();
  } catch (e) {
    if (state !== current || e.status === 401) return;
    replace(content, el('div', { class: 'empty unread', role: 'alert' }, el('h1', {}, 'The leases cannot be read'), el('p', {}, e.message || e.title),
      el('p', { class: 'hint' }, 'The page tries again by itself.'), el('button', { type: 'button', class: 'primary', on: { click: () => start() } }, 'Try again now')));
    retry = setTimeout(() => start(Math.min(LONGEST_RETRY, pause * 2)), Math.max(pause, e.pause ?? 0));
  }
}

onReading((now) => { failing = now; showLive(); });
onDenied((problem) => askForKey(hasKey() ? `${problem.message}.` : ''));
addEventListener('hashchange', () => {
  if (takeKeyFromAddress()) start(); else if (state?.access) showView();
});
addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, textarea, select, dialog');
  if (event.key === '/' && !typing) {
    const search = content.querySelector('input[type=search]');
    if (search) { event.preventDefault(); search.focus(); }
  }
});
setInterval(showLive, 1000);
takeKeyFromAddress();
start();
