// Calls of the documented API, with the key of the viewer.

const KEPT = 'leasehold-key';
let key = null;
const denied = new Set();
const watched = new Set();
/** Since when reads get no answer that could be shown: the server is away, busy or cannot reach its store. */
let failing = null;

/** A call that was refused or got no answer. */
export class Problem extends Error {
  constructor(status, title, detail, body) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.body = body;
  }

  /** Whether a record could not be read, whoever asks. */
  get isDamage() {
    return this.body?.type === 'urn:leasehold:problem:record-damaged';
  }

  /** Whether the same call may well succeed later. */
  get passes() {
    return [0, 429, 502, 503, 504].includes(this.status) && !this.isDamage;
  }
}

/** Takes a key from the fragment of the address, and removes it from there: addresses are shared and logged. */
export function takeKeyFromAddress() {
  const given = /^#key=([\w-]+)(?:&(.*))?$/.exec(location.hash);
  if (given) {
    setKey(given[1]);
    history.replaceState(null, '', `#${given[2] ?? '/leases'}`);
    return true;
  }
  try { key = sessionStorage.getItem(KEPT); } catch { key = null; }
  return false;
}

/** The key lasts as long as this tab, and is sent to this server only. */
export function setKey(value) {
  key = value;
  try {
    if (value) sessionStorage.setItem(KEPT, value); else sessionStorage.removeItem(KEPT);
  } catch { /* Then it lasts until the page is loaded again. */ }
}

export const hasKey = () => key !== null;

export const onDenied = (listener) => denied.add(listener);

/** Tells whether what is shown can be read again: null, or {since, why}. */
export const onReading = (listener) => watched.add(listener);

function reading(problem) {
  if (problem && !problem.passes) return;
  if (!problem && !failing) return;
  failing = problem ? { since: failing?.since ?? performance.now(), why: problem.message } : null;
  watched.forEach((listener) => listener(failing));
}

export const headers = () => (key ? { Authorization: `Bearer ${key}` } : {});

async function call(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { ...headers(), ...options.headers }, cache: 'no-store', redirect: 'error' });
  } catch {
    throw new Problem(0, 'No answer', 'The server does not answer. Whether the call took effect is not known.');
  }
  return answer(response);
}

export async function answer(response) {
  let body = null;
  try { body = await response.json(); } catch { /* Reported below. */ }
  if (response.ok && body) return body;
  const problem = new Problem(response.status, body?.title ?? `Status ${response.status}`, body?.detail ?? '', body);
  problem.pause = Math.min(60, Number(response.headers.get('Retry-After')) || 0) * 1000;
  if (response.status === 401) denied.forEach((listener) => listener(problem));
  throw problem;
}

const query = (parameters) => new URLSearchParams(
  Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined && value !== '')).toString();

export async function get(path, parameters) {
  const text = query(parameters);
  try {
    const found = await call(text ? `${path}?${text}` : path, { method: 'GET' });
    reading(null);
    return found;
  } catch (problem) {
    reading(problem);
    throw problem;
  }
}

export const post = (path, body) =>
  call(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** An id for one change: sent again, it is the same change. */
export function attempt() {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  return `page-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** All pages of a list, one after the other. */
export async function pages(path, parameters, part, take) {
  let after;
  do {
    const page = await get(path, { ...parameters, limit: 500, after });
    take(page[part], page);
    after = page.next;
  } while (after);
}
