import { describe, expect, it } from 'vitest';
import { createReadableLog } from '../../src/tools/dev/child.ts';

const readable = createReadableLog(false);
const line = (fields: object) =>
  readable(JSON.stringify({ level: 30, time: '2026-11-22T03:00:00.123Z', name: 'api', ...fields }));

describe('on a terminal', () => {
  it('a request is one line with method, path, status and duration', () => {
    const request = { method: 'GET', path: '/api/v1/games', status: 200, durationMs: 1.2 };
    const shown = line({ ...request, requestId: 'req-1', clientAddress: '::1', msg: 'request' });
    expect(shown).toMatch(/^\[\d\d:\d\d:\d\d\.123\] INFO: request GET \/api\/v1\/games 200 in 1\.2 ms$/);
  });

  it('an event is one line with its fields', () => {
    expect(line({ code: '7KQ2ZD', msg: 'game started' })).toMatch(/INFO: game started\s+\{"code":"7KQ2ZD"\}$/);
  });

  it('an error keeps its stack', () => {
    const err = { type: 'Error', message: 'boom', stack: 'Error: boom\n    at here' };
    expect(line({ level: 50, err, msg: 'request failed' })).toContain('at here');
  });

  it('a line that is not JSON is not changed', () => {
    expect(readable('plain')).toBe('plain');
    expect(readable('{ not JSON')).toBe('{ not JSON');
  });
});
