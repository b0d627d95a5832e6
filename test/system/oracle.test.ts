// The robot records what a faulty service sends, and the oracle finds it: a lobby is played through a proxy that plants
// one bug. The kinds of violations are in test/tools/oracle-*.test.ts. `npm run prove`, chaos, the system tests and the
// rehearsal play and judge by the same functions.
import { describe, expect, it } from 'vitest';
import type { ServerMessage } from '../../src/client/types.ts';
import type { Violation } from '../../src/tools/prove/history.ts';
import { useArena } from '../support/arena.ts';
import { LATE_MAX_MS, playJudged } from '../support/oracle.ts';
import { type Rewrites, startRewritingProxy } from '../support/rewriting-proxy.ts';
import { createSignedInUser } from '../support/users.ts';

const arena = useArena();

type Result = Extract<ServerMessage, { type: 'game:answer_result' }>;

/** Plays a lobby of two through a faulty proxy. @returns what the oracle finds */
async function play(rewrites: Rewrites, compact: boolean): Promise<Violation[]> {
  const [{ url, services }] = arena.replicas;
  const accounts = [await createSignedInUser(services), await createSignedInUser(services)];
  const proxy = await startRewritingProxy(url, rewrites);
  try {
    return await playJudged(proxy.url, accounts, { compact });
  } finally {
    await proxy.stop();
  }
}

/**
 * Rewrites results of rounds.
 * @param rewrite returns the messages that replace a result
 * @param isOnce whether only the first result is replaced
 */
function rewriteResults(rewrite: (result: Result) => object[], isOnce = false): Rewrites {
  let results = 0;
  const isReplaced = ({ type }: ServerMessage) => type === 'game:answer_result' && (results++ === 0 || !isOnce);
  return { message: (message) => (isReplaced(message) ? rewrite(message as Result) : [message]) };
}

function rewriteGames(change: object): Rewrites {
  return { body: (path, body) => (path.startsWith('/api/v1/games/') ? { ...(body as object), ...change } : body) };
}

describe.concurrent('the oracle finds nothing', () => {
  it.each([false, true])('in a lobby of a service without a bug, compact: %s', async (compact) => {
    expect(await play({}, compact)).toEqual([]);
  });
});

describe.concurrent('the oracle finds', () => {
  it.each<[string, RegExp, () => Rewrites, isCompact?: boolean]>([
    ['a doubled event', /^numbers$/, () => rewriteResults((result) => [result, result], true)],
    ['a late round', /^late$/, () => rewriteResults((result) => [{ ...result, nextInMs: -2 * LATE_MAX_MS }])],
    [
      'a wrong `you`',
      /^compact$/,
      () => rewriteResults((result) => [{ ...result, you: result.you && { ...result.you, score: 7 } }]),
      true,
    ],
    ['a result that is not stored', /^stored$/, () => rewriteGames({ gameId: 'another' })],
  ])('%s', async (_, kind, createRewrites, isCompact = false) => {
    const violations = await play(createRewrites(), isCompact);
    expect(violations.map((violation) => violation.kind)).toContainEqual(expect.stringMatching(kind));
  });
});
