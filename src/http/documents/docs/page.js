// Draws /docs from /api/openapi.json and /api/asyncapi.json: nothing here knows an operation.
import { el, prose, table } from './dom.js';
import { resolve, schemaTable } from './schema.js';
import { socketSections } from './socket.js';
import { tryForm } from './try.js';

const $ = (id) => document.getElementById(id);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

async function load(url) {
  const response = await fetch(url);
  return response.ok ? response.json() : undefined;
}

async function showUser() {
  const session = await load('/api/auth/get-session').catch(() => undefined);
  $('who').textContent = session?.user ? `Signed in as ${session.user.name}` : 'Not signed in';
}

function operationsOf(api, tag) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]?.tags?.includes(tag)).map((method) => ({
      path,
      method,
      operation: item[method],
      id: `${method}${path}`.replace(/\W+/g, '-'),
    })),
  );
}

function tagSection(api, { name, description }) {
  const operations = operationsOf(api, name);
  if (operations.length === 0) return [];
  $('nav').append(
    el('h2', {}, name),
    el(
      'ul',
      {},
      operations.map(({ id, operation }) =>
        el('li', {}, el('a', { href: `#${id}`, onclick: () => unfold(id) }, operation.summary)),
      ),
    ),
  );
  return [
    el(
      'section',
      {},
      el('h2', {}, name),
      el('p', { class: 'note' }, description),
      operations.map((one) => operationCard(api, one)),
    ),
  ];
}

function operationCard(api, { id, path, method, operation }) {
  const body = resolve(api, operation.requestBody).content?.['application/json']?.schema;
  const summary = el(
    'summary',
    {},
    el('span', { class: `method ${method}` }, method.toUpperCase()),
    el('h3', {}, operation.summary),
    el('code', { class: 'path' }, path),
  );
  const content = el(
    'div',
    { class: 'body' },
    prose(operation.description),
    (operation.security ?? api.security)?.length
      ? el('p', { class: 'note' }, 'Needs the session cookie.')
      : undefined,
    body
      ? [
          el('h4', {}, operation.requestBody.required ? 'Body' : 'Body (optional)'),
          schemaTable(api, body),
        ]
      : undefined,
    responses(api, operation),
    tryForm(api, path, method, operation, showUser),
  );
  return el('article', { id }, el('details', {}, summary, content));
}

function responses(api, operation) {
  const all = Object.entries(operation.responses).map(([status, given]) => [
    status,
    resolve(api, given),
  ]);
  const good = all
    .filter(([status]) => status < 400)
    .flatMap(([status, response]) => {
      const schema = response.content?.['application/json']?.schema;
      return [
        el('h4', {}, `${status} ${response.description}`),
        schema ? schemaTable(api, schema) : undefined,
      ];
    });
  const refusals = all
    .filter(([status]) => status >= 400)
    .flatMap(([status, response]) => {
      const examples = Object.entries(Object.values(response.content ?? {})[0]?.examples ?? {});
      if (examples.length === 0) return [[status, '', response.description]];
      return examples.map(([code, example]) => [
        status,
        el('code', {}, code),
        resolve(api, example).summary,
      ]);
    });
  return [...good, el('h4', {}, 'Refusals'), table(['Status', 'Code', 'Meaning'], refusals)];
}

function unfold(id) {
  const details = $(id)?.querySelector('details');
  if (details) details.open = true;
}

const api = await load('/api/openapi.json');
$('title').textContent = `${api.info.title} ${api.info.version}`;
$('main').append(
  ...prose(api.info.description),
  ...api.tags.flatMap((tag) => tagSection(api, tag)),
);
const asyncapi = await load('/api/asyncapi.json');
if (asyncapi) {
  $('main').append(...socketSections(asyncapi));
  $('nav').append(
    el('h2', {}, 'WebSocket'),
    el('ul', {}, el('li', {}, el('a', { href: '#websocket' }, 'Connect and try'))),
  );
}
await showUser();
unfold(location.hash.slice(1));
$(location.hash.slice(1))?.scrollIntoView();
