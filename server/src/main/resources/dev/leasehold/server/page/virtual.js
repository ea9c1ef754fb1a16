// A list of any length, of which only the rows in view exist.

import { el } from './dom.js';

/** Rows have one height. A row that stays in view stays the same element, so that it keeps the focus. */
export class VirtualList {
  #rows = [];
  #items = [];
  #make;
  #fill;
  #pending = false;
  viewport;
  #spacer = el('div', { class: 'spacer', role: 'rowgroup' });

  /** @param header stays in view; @param make builds an empty row; @param fill(row, item) shows an item in it */
  constructor(label, header, make, fill) {
    this.#make = make;
    this.#fill = fill;
    this.viewport = el('div', { class: 'viewport', role: 'table', tabindex: '0', 'aria-label': label }, header, this.#spacer);
    this.viewport.addEventListener('scroll', () => this.draw());
    this.viewport.addEventListener('keydown', (event) => this.#move(event));
    new ResizeObserver(() => this.draw()).observe(this.viewport);
  }

  #height() {
    return parseFloat(getComputedStyle(this.viewport).getPropertyValue('--row')) || 40;
  }

  set items(items) {
    this.#items = items;
    this.viewport.setAttribute('aria-rowcount', items.length + 1);
    this.draw();
  }

  /** The items in view. */
  visible() {
    const [first, last] = this.#range(0);
    return this.#items.slice(first, last);
  }

  #range(more) {
    const height = this.#height();
    const first = Math.max(0, Math.floor(this.viewport.scrollTop / height) - more);
    const last = Math.min(this.#items.length, Math.ceil((this.viewport.scrollTop + this.viewport.clientHeight) / height) + more);
    return [first, last];
  }

  /** Draws with the next frame. */
  draw() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => { this.#pending = false; this.#drawNow(); });
  }

  #drawNow() {
    const height = this.#height();
    this.#spacer.style.height = `${this.#items.length * height}px`;
    const [first, last] = this.#range(8);
    while (this.#rows.length < last - first) {
      const row = this.#make();
      this.#rows.push(row);
      this.#spacer.append(row);
    }
    const size = this.#rows.length;
    const used = new Set();
    for (let index = first; index < last; index++) {
      const row = this.#rows[index % size];
      used.add(row);
      row.hidden = false;
      row.style.transform = `translateY(${index * height}px)`;
      row.setAttribute('aria-rowindex', index + 2);
      this.#fill(row, this.#items[index]);
    }
    this.#rows.forEach((row) => { if (!used.has(row)) row.hidden = true; });
  }

  #move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const row = event.target.closest('[aria-rowindex]');
    const [first] = this.#range(0);
    const index = row ? Number(row.getAttribute('aria-rowindex')) - 2 + step : first;
    if (index < 0 || index >= this.#items.length) return;
    const height = this.#height();
    const top = index * height;
    const view = this.viewport;
    if (top < view.scrollTop) view.scrollTop = top;
    const covered = this.#spacer.offsetTop;
    if (top + height > view.scrollTop + view.clientHeight - covered) view.scrollTop = top + height - view.clientHeight + covered;
    this.#drawNow();
    this.#rows[index % this.#rows.length].querySelector('a')?.focus({ preventScroll: true });
  }
}
