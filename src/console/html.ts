// Makes the HTML of the console. A value that is put into a template is escaped, unless a template has made it. Pure.
import { escapeHtml } from '../auth/mail/emails.ts';

export interface Html {
  html: string;
}

type Value = string | number | Html | readonly Html[];

/** The tag of templates: html`<p>${text}</p>`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: String.raw({ raw: parts }, ...values.map(toText)) };
}

function toText(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map((each) => each.html).join('');
}

/** @returns a table; each row has as many cells as the head */
export function table(head: readonly string[], rows: readonly (readonly Value[])[]): Html {
  const cells = (row: readonly Value[]) => row.map((cell) => html`<td>${cell}</td>`);
  return html`<table><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}

/** @returns a time span in its two greatest units: `2 h 5 min` */
export function span(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const whole = Math.max(0, Math.floor(seconds));
  const first = units.findIndex(([, size]) => whole >= size);
  if (first < 0) return '0 s';
  let rest = whole;
  const parts = units.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count > 0 ? `${count} ${unit}` : '';
  });
  return parts.filter(Boolean).join(' ');
}
