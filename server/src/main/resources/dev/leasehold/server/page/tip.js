// One tooltip for everything that a mouse or the keyboard points at.

import { replace } from './dom.js';

const tip = document.getElementById('tip');

export function hideTip() {
  tip.hidden = true;
}

/** Shows a tooltip with these lines while an element is pointed at or has the focus. */
export function withTip(element, lines) {
  const show = () => {
    const box = element.getBoundingClientRect();
    replace(tip, lines().filter(Boolean).map((line) => {
      const row = document.createElement('div');
      row.append(...[line].flat());
      return row;
    }));
    tip.hidden = false;
    const width = tip.offsetWidth;
    const left = Math.min(Math.max(8, box.left + box.width / 2 - width / 2), innerWidth - width - 8);
    const above = box.top - tip.offsetHeight - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 8 ? above : box.bottom + 8}px`;
  };
  element.addEventListener('mouseenter', show);
  element.addEventListener('focus', show);
  element.addEventListener('mouseleave', hideTip);
  element.addEventListener('blur', hideTip);
  return element;
}

addEventListener('keydown', (event) => { if (event.key === 'Escape') hideTip(); });
addEventListener('scroll', hideTip, true);
