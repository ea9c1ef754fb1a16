// The frame of the page: who looks, which view, and whether it is live.

import { hasKey, onDenied, setKey, takeKeyFromAddress } from './api.js';
import { el, replace, setText } from './dom.js';
import { State } from './state.js';
import { clockTime, duration } from './time.js';
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
const notice = document.getElementById('notice');

let state = null;
let shown = null;

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
  shown?.close?.();
  replace(nav, VIEWS.filter(([, word]) => word).map(([known, word]) =>
    el('a', { href: `#/${known}`, 'aria-current': known === name ? 'page' : undefined }, word)));
  const root = el('div', { class: `view view-${name}` });
  replace(content, root);
  shown = view(root, parameters, state) ?? null;
  document.title = `${title ?? parameters.get('name') ?? ''} · Leasehold`;
}

function showLive() {
  if (!state) return;
  const { live: isLive, since, why } = state.live;
  live.className = isLive ? 'live' : 'stale';
  setText(live, isLive ? 'Live' : `Not live since ${clockTime(since)}`);
  live.title = isLive ? 'What happens appears here by itself, some seconds later.' : why;
  const late = !isLive && Date.now() - since > 3000;
  notice.hidden = !late;
  if (late) {
    setText(notice, `This page has not been live since ${clockTime(since)} (for ${duration(Math.floor((Date.now() - since) / 5000) * 5000)}): ${why}. What it shows may be out of date. It connects again by itself.`);
  }
}

function showWho() {
  const { owner, role, prefix } = state.access;
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

async function start() {
  const current = new State();
  state = current;
  replace(content, el('p', { class: 'loading', role: 'status' }, 'Reading the leases'));
  current.addEventListener('live', showLive);
  try {
    await current.start();
    showWho();
    showView();
    showLive();
  } catch (e) {
    if (state !== current || e.status === 401) return;
    replace(content, el('div', { class: 'empty' }, el('h1', {}, 'The leases cannot be read'), el('p', {}, e.message),
      el('button', { type: 'button', class: 'primary', on: { click: () => start() } }, 'Try again')));
  }
}

onDenied((problem) => askForKey(hasKey() ? `${problem.message}.` : ''));
addEventListener('hashchange', () => {
  if (takeKeyFromAddress()) { state?.stop(); start(); } else if (state?.access) showView();
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
