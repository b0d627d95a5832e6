// The local stack chooses ports.
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
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
    const given = await choosePorts({ ...chosen, metricsPortFixed: false }, note);
    expect(given.api).toEqual([first, first + 1]);
    expect(given.metrics).toHaveLength(3);
    expect(given.metrics).not.toContain(first + 5);
    expect(notes).toEqual([expect.stringContaining(`Port ${first + 5} is taken`)]);
    other.close();
  });
});
