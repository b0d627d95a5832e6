// Traces, on by OpenTelemetry's standard variables, as a collector receives them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Fleet, startFleet } from '../support/fleet.ts';
import { startGame } from '../support/games.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  service: string;
  links: { traceId: string; spanId: string }[];
  attributes: { key: string; value: { stringValue?: string } }[];
}

interface Resource {
  attributes: { key: string; value: { stringValue: string } }[];
}

const spans: Span[] = [];
let collector: Server;
let fleet: Fleet;

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      keep(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  fleet = await startFleet({
    ROUND_DURATION_MS: '1000',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
}, 120_000);
afterAll(async () => {
  await fleet?.stop();
  collector.closeAllConnections();
  collector.close();
});

function keep(body: string): void {
  const { resourceSpans = [] } = JSON.parse(body) as {
    resourceSpans?: { resource: Resource; scopeSpans: { spans: Omit<Span, 'service'>[] }[] }[];
  };
  for (const { resource, scopeSpans } of resourceSpans) {
    const name = resource.attributes.find(({ key }) => key === 'service.name');
    const service = name?.value.stringValue ?? '';
    for (const scope of scopeSpans)
      spans.push(...scope.spans.map((span) => ({ ...span, links: span.links ?? [], service })));
  }
}

const attribute = (span: Span, name: string) =>
  span.attributes.find(({ key }) => key === name)?.value.stringValue;

it('a round’s timeout job links to the game’s start', async () => {
  // More rounds than one: of a worker that is late, a replica resolves the round.
  const game = await startGame(fleet, { players: 2, rounds: 3, thinkMs: 200, isSilent: true });
  await Promise.all(game.robots.map((robot) => robot.finished));
  for (const robot of game.robots) robot.stop();
  await eventually(() => {
    const start = spans.find(
      ({ name, service }) => name === 'game start' && service === 'quiz-api',
    );
    const ticks = spans.filter((span) => attribute(span, 'quiz.game.id') === game.gameId);
    const resolved = ticks.find(
      ({ name, service }) => name === 'round resolve' && service === 'quiz-worker',
    );
    const clock = ticks.find(
      ({ name, traceId }) => name === 'game clock' && traceId === resolved?.traceId,
    );
    expect(clock?.links).toEqual([
      expect.objectContaining({ traceId: start?.traceId, spanId: start?.spanId }),
    ]);
  });
});

it('a request is a span, named by its route', async () => {
  await fetch(`${fleet.url}/api/v1/lobbies/ABC123`);
  await eventually(() =>
    expect(spans.map(({ name }) => name)).toContain('GET /api/v1/lobbies/:code'),
  );
});
