// Makes the HTML of the console. A value that is put into a template is escaped, unless a template has made it.
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../auth/mail/emails.ts';
import { writtenCodeMax } from '../lobby/rules.ts';
import { QUEUES_PATH } from './queues.ts';

export interface Html {
  html: string;
}

type Value = string | number | Html | readonly Html[];

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

const UNITS = Object.entries({ d: 86_400, h: 3600, min: 60, s: 1 });

/** @returns a time span in its two greatest units: `2 h 5 min` */
export function span(seconds: number): string {
  const counts: string[] = [];
  let rest = seconds;
  for (const [unit, length] of UNITS) {
    if (rest >= length) counts.push(`${Math.floor(rest / length)} ${unit}`);
    rest %= length;
  }
  return counts.slice(0, 2).join(' ') || '0 s';
}

/** @param options.isLive whether the browser reads the page's content again every few seconds */
export function sendPage(
  reply: FastifyReply,
  title: string,
  content: Value = '',
  { status = 200, isLive = false } = {},
) {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Console</title>
<link rel="stylesheet" href="/console/assets/console.css">
<script type="module" src="/console/assets/refresh.js"></script>
</head>
<body>
<header>
<nav>
<a href="/console/">Overview</a>
<a href="/console/lobbies">Lobbies</a>
<a href="${QUEUES_PATH}/">Queues</a>
<a href="/console/accounts">Accounts</a>
</nav>
<form action="/console/find">
<label>Lobby <input name="code" required maxlength="${writtenCodeMax()}" size="8" autocomplete="off" placeholder="7KQ2ZD"></label>
<button>Show</button>
</form>
</header>
${isLive ? html`<main data-live>` : html`<main>`}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return reply.status(status).type('text/html; charset=utf-8').send(page.html);
}
