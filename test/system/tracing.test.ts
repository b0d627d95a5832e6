// Traces, enabled by OpenTelemetry's standard variables, as a collector receives them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Fleet, startFleet } from '../support/fleet.ts';
import { createHttpClient } from '../support/http-client.ts';
import { createPlayer, gather } from '../support/player.ts';
import { createSignedInUser } from '../support/users.ts';

interface Attributed {
  attributes: { key: string; value: { stringValue?: string } }[];
}

interface Span extends Attributed {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  links: { traceId: string; spanId: string }[];
}

interface Export {
  resourceSpans?: { resource: Attributed; scopeSpans: { spans: Omit<Span, 'service'>[] }[] }[];
}

const spans: Span[] = [];
let collector: Server;
let fleet: Fleet;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    keep((await json(request)) as Export);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  fleet = await startFleet({
    ROUND_DURATION_MS: '1000',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
}, 180_000);
afterAll(async () => {
  await fleet?.stop();
  collector.closeAllConnections();
  collector.close();
});

function keep({ resourceSpans = [] }: Export): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    const service = attribute(resource, 'service.name') ?? '';
    for (const scope of scopeSpans)
      spans.push(...scope.spans.map((span) => ({ ...span, links: span.links ?? [], service })));
  }
}

const attribute = ({ attributes }: Attributed, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue;

it('the timeout job of a round links to the game’s start', async () => {
  // The game has several rounds, since a replica resolves a round if the worker is late.
  const host = await createPlayer(fleet.services, fleet.url);
  const guest = await createPlayer(fleet.services, fleet.url);
  for (const player of [host, guest]) await player.connect();
  await gather([host, guest], { settings: { rounds: 3 } });
  await host.acked({ type: 'lobby:start' });
  const { gameId } = await host.next('game:finished');
  for (const player of [host, guest]) player.drop();
  await eventually(() => {
    const start = spans.find(({ name, service }) => name === 'game start' && service === 'quiz-api');
    const ticks = spans.filter((span) => attribute(span, 'quiz.game.id') === gameId);
    const resolved = ticks.find(({ name, service }) => name === 'phase end' && service === 'quiz-worker');
    const clock = ticks.find(({ name, traceId }) => name === 'game clock' && traceId === resolved?.traceId);
    expect(clock?.links).toEqual([expect.objectContaining({ traceId: start?.traceId, spanId: start?.spanId })]);
  });
});

/** @returns the names of the spans whose parent is `span` */
const below = (span: Span | undefined, system: string) =>
  spans
    .filter(({ parentSpanId }) => parentSpanId === span?.spanId)
    .filter((child) => attribute(child, 'db.system.name') === system)
    .map(({ name }) => name);

it('a request is a span named after its route, its Redis commands and SQL statements are below it, without values', async () => {
  const host = await createSignedInUser(fleet.services);
  const client = createHttpClient(fleet.url, { cookie: host.cookie });
  const { body } = await client.post('/api/v1/lobbies', {});
  expect((await client.get(`/api/v1/lobbies/${body.code}`)).status).toBe(200);
  await eventually(() => {
    expect(spans.map(({ name }) => name)).toContain('GET /api/v1/lobbies/:code');
    const request = spans.find(({ name }) => name === 'POST /api/v1/lobbies');
    expect(below(request, 'redis').length).toBeGreaterThan(0);
    // The span is named after the statement's first word: one statement with a common table expression creates a lobby.
    expect(below(request, 'postgresql')).toContain('WITH');
  });
  expect(JSON.stringify(spans)).not.toContain(host.id);
});

it('commands outside of requests and jobs make no spans', async () => {
  // A worker polls for jobs many times a second.
  const roots = spans.filter((span) => !span.parentSpanId && attribute(span, 'db.system.name'));
  expect(roots).toEqual([]);
});

it('the sending of an email links to its composition, and that to the request that caused it', async () => {
  const account = { name: 'Ben', email: 'ben@example.com', password: 'a-quite-good-7Qx' };
  await createHttpClient(fleet.url).post('/api/auth/sign-up/email', account);
  await eventually(() => {
    const causeOf = (effect: Span | undefined, of: RegExp) =>
      spans.find(({ name, traceId }) => traceId === effect?.links[0]?.traceId && of.test(name));
    const sent = spans.find(({ name }) => name === 'mail send');
    const written = causeOf(sent, /^mail write$/);
    expect(sent?.service).toBe('quiz-worker');
    expect(written?.service).toBe('quiz-worker');
    expect(causeOf(written, /sign-up|auth/)?.service).toBe('quiz-api');
  });
});
