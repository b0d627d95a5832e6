// The local stack chooses ports, and shows the log lines of its processes on a terminal.
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createReadableLog } from '../../src/tools/dev/child.ts';
import { choosePorts, freePort, isPortFree } from '../../src/tools/dev/ports.ts';
import { readSettings } from '../../src/tools/dev/settings.ts';

describe('ports', () => {
  test('a free port is given to one caller only', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(new Set(ports).size).toBe(20);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(ports[0], '127.0.0.1', resolve));
    expect(await isPortFree(ports[0] as number)).toBe(false);
    expect(await isPortFree(ports[1] as number)).toBe(true);
    server.close();
  });

  test('each process gets a port for metrics, another one if a default port is in use', async () => {
    const first = await freePort(8);
    const chosen = readSettings({ API_REPLICAS: '2', PORT: `${first}`, METRICS_PORT: `${first + 4}` });
    const notes: string[] = [];
    const note = (line: string) => void notes.push(line);
    expect(await choosePorts(chosen, note)).toEqual({
      api: [first, first + 1],
      metrics: [first + 4, first + 5, first + 6],
    });
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(first + 5, '127.0.0.1', resolve));
    await expect(choosePorts(chosen, note)).rejects.toThrow(`Port ${first + 5} is taken`);
    const given = await choosePorts({ ...chosen, env: {} }, note);
    expect(given.api).toEqual([first, first + 1]);
    expect(given.metrics).toHaveLength(3);
    expect(given.metrics).not.toContain(first + 5);
    expect(notes).toEqual([expect.stringContaining(`Port ${first + 5} is taken`)]);
    other.close();
  });
});

const readable = createReadableLog(false);
const line = (fields: object) =>
  readable(JSON.stringify({ level: 30, time: '2026-11-22T03:00:00.123Z', name: 'api', ...fields }));

describe('on a terminal', () => {
  const request = { method: 'GET', path: '/api/v1/games', status: 200, durationMs: 1.2 };
  const err = { type: 'Error', message: 'boom', stack: 'Error: boom\n    at here' };
  test.each<[what: string, fields: object, shown: RegExp]>([
    [
      'a request is one line with method, path, status and duration',
      { ...request, requestId: 'req-1', clientAddress: '::1', msg: 'request' },
      /^\[\d\d:\d\d:\d\d\.123\] INFO: request GET \/api\/v1\/games 200 in 1\.2 ms$/,
    ],
    ['an event is one line with its fields', { code: '7KQ2ZD', msg: 'start' }, /INFO: start\s+\{"code":"7KQ2ZD"\}$/],
    ['an error keeps its stack', { level: 50, err, msg: 'request failed' }, /at here/],
  ])('%s', (_what, fields, shown) => {
    expect(line(fields)).toMatch(shown);
  });

  test('a line that is not JSON is not changed', () => {
    expect(readable('plain')).toBe('plain');
    expect(readable('{ not JSON')).toBe('{ not JSON');
  });
});
