// The form that sends a request, with the session cookie of this browser, and the same as curl.
import { copyButton, el, pretty } from './dom.js';
import { exampleOf, resolve } from './schema.js';

const SHOWN_HEADERS = ['x-request-id', 'retry-after', 'ratelimit-remaining', 'ratelimit-reset'];

/** @returns the form of one operation; `onDone` is called after each answer */
export function tryForm(root, path, method, operation, onDone) {
  const id = operation.operationId ?? `${method}${path}`.replace(/\W+/g, '-');
  const parameters = (operation.parameters ?? []).map((given) => parameterField(root, given, id));
  const schema = resolve(root, operation.requestBody).content?.['application/json']?.schema;
  const body = schema && bodyField(pretty(exampleOf(root, schema)), id);
  const send = el('button', { type: 'submit' }, 'Send');
  const output = el('div', { 'aria-live': 'polite' });

  const request = () => {
    let url = path;
    const query = new URLSearchParams();
    for (const { name, place, input } of parameters) {
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (input.value) query.set(name, input.value);
    }
    return { url: query.size > 0 ? `${url}?${query}` : url, text: body?.input.value.trim() };
  };
  const form = el(
    'form',
    {
      onsubmit: async (event) => {
        event.preventDefault();
        send.disabled = true;
        output.replaceChildren(...(await answerOf(method, request())));
        send.disabled = false;
        onDone();
      },
    },
    el('h4', {}, 'Try it'),
    [...parameters, body].flatMap((field) => (field ? [field.label, field.input] : [])),
    send,
    copyButton('Copy as curl', () => curl(method, request())),
    output,
  );
  return form;
}

function parameterField(root, given, id) {
  const { name, in: place, required, schema, example } = resolve(root, given);
  const input = el('input', {
    id: `${id}-${name}`,
    required: Boolean(required),
    value: example ?? (required ? exampleOf(root, schema) : ''),
  });
  const label = el('label', { for: input.id }, `${name} (${place})`);
  return { name, place, input, label };
}

function bodyField(text, id) {
  const rows = Math.min(text.split('\n').length, 16);
  const input = el('textarea', { id: `${id}-body`, rows, spellcheck: false, value: text });
  return { input, label: el('label', { for: input.id }, 'Body (JSON)') };
}

async function answerOf(method, { url, text }) {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method: method.toUpperCase(),
      ...(text ? { body: text, headers: { 'content-type': 'application/json' } } : {}),
    });
    const answer = await response.text();
    const took = Math.round(performance.now() - startedAt);
    const status = `${response.status} ${response.statusText} in ${took} ms`;
    const headers = SHOWN_HEADERS.filter((name) => response.headers.has(name));
    return [
      el('p', { class: `status ${response.ok ? 'good' : 'bad'}` }, status),
      el(
        'p',
        { class: 'note' },
        headers.map((name) => `${name}: ${response.headers.get(name)}`).join(' · '),
      ),
      el('pre', { tabIndex: 0 }, readable(answer)),
    ];
  } catch {
    return [el('p', { class: 'status bad' }, 'No answer: the service cannot be reached.')];
  }
}

function readable(text) {
  try {
    return pretty(JSON.parse(text));
  } catch {
    return text;
  }
}

function curl(method, { url, text }) {
  const quoted = (value) => `'${value.replaceAll("'", "'\\''")}'`;
  const body = text ? ` -H 'content-type: application/json' -d ${quoted(text)}` : '';
  return `curl -X ${method.toUpperCase()} ${quoted(location.origin + url)} -b cookies.txt -c cookies.txt${body}`;
}
