// Elements without markup in strings: what the descriptions hold is text, never HTML.

/** @returns an element with these properties (`class`, `for`, `on…` and `aria-…` too) and children */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

/** @returns paragraphs of a description: `code`, **bold**, and blank lines between paragraphs */
export function prose(text = '') {
  return text
    .split(/\n\s*\n/)
    .filter(Boolean)
    .map((paragraph) =>
      el(
        'p',
        {},
        paragraph
          .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
          .map((part) =>
            part.startsWith('`')
              ? el('code', {}, part.slice(1, -1))
              : part.startsWith('**')
                ? el('strong', {}, part.slice(2, -2))
                : part,
          ),
      ),
    );
}

/** @returns a table; `rows` are lists of cells */
export function table(heads, rows) {
  const head = el(
    'tr',
    {},
    heads.map((text) => el('th', { scope: 'col' }, text)),
  );
  const body = rows.map((cells) =>
    el(
      'tr',
      {},
      cells.map((cell) => el('td', {}, cell)),
    ),
  );
  return el(
    'div',
    { class: 'scroll' },
    el('table', {}, el('thead', {}, head), el('tbody', {}, body)),
  );
}

export function pretty(value) {
  return JSON.stringify(value, null, 2);
}
