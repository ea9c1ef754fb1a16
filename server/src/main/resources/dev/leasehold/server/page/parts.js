// Small pieces that several views use.

import { el } from './dom.js';
import { HEALTH } from './words.js';

export const chip = (word, tone, title) => el('span', { class: `chip ${tone}`, title }, word);

export const healthChip = (name) => chip(HEALTH[name].word, HEALTH[name].tone, HEALTH[name].means);

export const leaseLink = (name, ...more) =>
  el('a', { class: 'name', href: `#/lease?name=${encodeURIComponent(name)}`, title: name }, name, ...more);

export const token = (value) => el('span', { class: 'token', title: `token ${value}` }, `#${value}`);

/** What to do when there is nothing to show. */
export const empty = (title, text, command) => el('div', { class: 'empty' },
  el('h2', {}, title), el('p', {}, text), command && el('pre', {}, el('code', {}, command)));

/** A table: columns are [title, cell(row), class]. */
export function table(caption, columns, rows) {
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', {}, el('caption', { class: 'hidden' }, caption),
      el('thead', {}, el('tr', {}, columns.map(([title, , style]) => el('th', { scope: 'col', class: style }, title)))),
      el('tbody', {}, rows.map((row) => el('tr', {}, columns.map(([title, cell, style]) =>
        el('td', { class: style, 'data-title': title }, cell(row))))))));
}

/** Buttons of which one is chosen. */
export function choice(label, options, chosen, choose) {
  const group = el('div', { class: 'choice', role: 'group', 'aria-label': label });
  const buttons = options.map(([value, word]) => el('button', { type: 'button', 'aria-pressed': String(value === chosen), 'data-value': value, on: { click: () => {
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.value === value)));
    choose(value);
  } } }, word));
  group.append(...buttons);
  return group;
}

/** Says what went wrong in place of a view's content. */
export const failure = (problem, again) => el('div', { class: 'empty', role: 'alert' }, el('h2', {}, 'This could not be read'),
  el('p', {}, problem.message), el('button', { type: 'button', on: { click: again } }, 'Try again'));

/** Says what is missing from a list, because its record cannot be read. */
export const damage = (messages) => (messages?.length ? el('div', { class: 'damage', role: 'alert' },
  el('b', {}, `${messages.length === 1 ? 'A record' : `${messages.length} records`} cannot be read, and ${messages.length === 1 ? 'is' : 'are'} not listed:`),
  el('ul', {}, messages.slice(0, 10).map((one) => el('li', {}, one)))) : null);
