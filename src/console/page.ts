// The frame of every page of the console. Pure.
import { writtenCodeMax } from '../lobby/rules.ts';
import { type Html, html } from './html.ts';
import { QUEUES_PATH } from './queues.ts';

/**
 * @param isLive whether the browser reads the page's content again every few seconds
 * @returns a whole document
 */
export function page(title: string, content: Html, isLive = false): string {
  return html`<!doctype html>
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
`.html;
}
