// npm run operate -- inspect CODE prints the history of a lobby for an engineer on call.
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { useArena } from '../support/arena.ts';
import { operate } from '../support/command.ts';
import { captureLog } from '../support/log-capture.ts';
import { gather } from '../support/player.ts';

const arena = useArena({ replicas: 1, env: { ROUND_DURATION_MS: '2000' } });

const inspect = (...args: string[]) => operate(arena.stores, 'inspect', ...args);

describe('npm run operate -- inspect', () => {
  it('prints a game’s events with times, lateness, and the process that ended each round', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
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
    expect(stdout).toMatch(/game:answer_result +1 timeout \d+ ms late, 0 of 2 answered, 0 right +\S+\/\d+$/m);
    expect(stdout).toMatch(/game:finished +Ada 0, Ben 0/);
  });

  it('names a process as its log lines do: by host and process id', async () => {
    const [ada] = await arena.players('Ada');
    const { stdout } = await inspect(await gather([ada]));
    const log = captureLog();
    createLogger('info', 'api', log.stream).info('the replica runs in this process, too');
    const [logged] = log.lines();
    expect(stdout).toMatch(new RegExp(`${logged?.hostname}/${logged?.pid}$`, 'm'));
  });

  it('never prints the key of an open question', async () => {
    const [ada, ben] = await arena.players('Ada', 'Ben');
    const code = await gather([ada, ben], { settings: { rounds: 20 } });
    ada.send({ type: 'lobby:start' });
    const { question } = await ada.next('game:question');
    const { stdout } = await inspect(code);
    expect(stdout).toMatch(/, running,/);
    expect(stdout).toMatch(/its clock is (delayed|active|waiting)/);
    expect(stdout).toContain(question.prompt);
    expect(stdout).not.toMatch(/correctOptionId/);
  });

  it('exits with 1 for an unknown code, and with 2 for wrong usage', async () => {
    expect(await inspect('000000')).toMatchObject({ code: 1, stderr: expect.stringContaining('has the code 000000') });
    expect(await inspect('what?')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('six letters and digits'),
    });
    expect(await inspect()).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage') });
  });
});
