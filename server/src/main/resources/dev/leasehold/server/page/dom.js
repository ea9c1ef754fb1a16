// Builds elements. Text is only ever set as text: names, notes and holders come from strangers.

const SVG = 'http://www.w3.org/2000/svg';

function build(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'on') {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else {
      element.setAttribute(key, value === true ? '' : String(value));
    }
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** An HTML element. Children that are no elements become text. */
export const el = (tag, props, ...children) => build(document.createElement(tag), props, children);

/** An SVG element. */
export const svg = (tag, props, ...children) => build(document.createElementNS(SVG, tag), props, children);

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** Sets the text of an element only if it differs, so that a screen reader is not disturbed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Calls at most once in an interval, the last time included. */
export function throttled(ms, call) {
  let timer = 0;
  return () => {
    if (!timer) timer = setTimeout(() => { timer = 0; call(); }, ms);
  };
}

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
