// npm run inspect -- CODE: a lobby's life for the on-call engineer.
import { execFile } from 'node:child_process';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { useArena } from '../support/arena.ts';
import { gather, type Player } from '../support/player.ts';

const arena = useArena({ replicas: 1, env: { ROUND_DURATION_MS: '2000' } });

function inspect(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { databaseUrl, redisUrl } = arena.stores;
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/inspect/cli.ts', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('npm run inspect', () => {
  it('prints a game’s events with times, lateness, and the process that resolved each round', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const code = await gather([ada, ben], { settings: { rounds: 1 } });
    ada.send({ type: 'lobby:start' });
    const { gameId } = await ada.next('game:finished');
    const { code: exit, stdout } = await inspect(code.toLowerCase());
    expect(exit).toBe(0);
    expect(stdout).toContain(`Lobby ${code}, finished`);
    expect(stdout).toContain(`Result of ${gameId}`);
    const { seq, mark } = await ada.next('game:question');
    expect(stdout).toMatch(new RegExp(`^ +${seq}  ${mark}  .+ game:question `, 'm'));
    expect(stdout).toMatch(/lobby:state +Ada\*, Ben +\S+\/\d+$/m);
    expect(stdout).toMatch(/game:question +1 of 1 “.+”, until .+ \S+\/\d+$/m);
    expect(stdout).toMatch(
      /game:answer_result +1 timeout \d+ ms late, 0 of 2 answered, 0 right +\S+\/\d+$/m,
    );
    expect(stdout).toMatch(/game:finished +Ada 0, Ben 0/);
  });

  it('names a process by what its log lines say: its host and its process id', async () => {
    const [ada] = (await arena.players('Ada')) as [Player];
    const { stdout } = await inspect(await gather([ada]));
    let line = '';
    const destination = new Writable({
      write(chunk, _encoding, done) {
        line += String(chunk);
        done();
      },
    });
    createLogger('info', 'api', destination).info('a line of this process, as the replica is');
    const logged = JSON.parse(line) as { hostname: string; pid: number };
    expect(stdout).toMatch(new RegExp(`${logged.hostname}/${logged.pid}$`, 'm'));
  });

  it('never prints the key of an open question', async () => {
    const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
    const code = await gather([ada, ben], { settings: { rounds: 20 } });
    ada.send({ type: 'lobby:start' });
    const { question } = await ada.next('game:question');
    const { stdout } = await inspect(code);
    expect(stdout).toMatch(/, running,/);
    expect(stdout).toMatch(/its clock is (delayed|active|waiting)/);
    expect(stdout).toContain(question.prompt);
    expect(stdout).not.toMatch(/correctOptionId/);
  });

  it('says so when there is no such lobby, and how it is used', async () => {
    expect(await inspect('000000')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has the code 000000'),
    });
    expect(await inspect('what?')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('six letters and digits'),
    });
    expect(await inspect()).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') });
  });
});
