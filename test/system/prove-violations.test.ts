// `npm run prove` finds each kind of violation of the contract.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { ServerMessage } from '../../src/client/types.ts';
import { type ProveOptions, prove } from '../../src/tools/prove/prove.ts';
import { writeAccounts } from '../support/account-file.ts';
import { useArena } from '../support/arena.ts';
import { type Rewrites, startRewritingProxy } from '../support/rewriting-proxy.ts';
import type { TestService } from '../support/service.ts';

const arena = useArena();
const folder = mkdtempSync(join(inject('temporaryFolder'), 'prove-'));

type Result = Extract<ServerMessage, { type: 'game:answer_result' }>;

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

/** Rewrites a result for all clients but the first one that gets it. */
function rewriteForOthers(): Rewrites {
  const firstClients = new Map<string, number>();
  return {
    message(message, client) {
      if (message.type !== 'game:answer_result' || message.snapshot) return [message];
      const first = firstClients.get(message.questionId) ?? client;
      firstClients.set(message.questionId, first);
      return [first === client ? message : { ...message, questionId: message.gameId }];
    },
  };
}

/**
 * Drops results until a client gets the event after a dropped one: a client that disconnects before it
 * can't notice the gap.
 */
function dropResults(): Rewrites {
  const affected = new Set<number>();
  let isVisible = false;
  return {
    message(message, client) {
      if (isVisible || !('seq' in message)) return [message];
      if (message.type === 'game:answer_result') {
        affected.add(client);
        return [];
      }
      isVisible = affected.has(client) && !message.snapshot;
      return [message];
    },
  };
}

describe.concurrent('prove finds a service that', () => {
  // The lobbies are compact by chance; the checker compares the results of those with the stored rounds.
  it.each<[string, RegExp, () => Rewrites]>([
    ['drops an event', /^numbers$/, dropResults],
    ['sends an event twice', /^numbers$/, () => rewriteResults((result) => [result, result], true)],
    ['sends one player another event', /^same$/, rewriteForOthers],
    [
      'sends wrong scores',
      /^(game|compact)$/,
      () =>
        rewriteResults(({ scores, ...result }) => [{ ...result, scores: scores.map((of) => ({ ...of, score: 7 })) }]),
    ],
    [
      'changes the right answer after the question was shown',
      /^ended$/,
      () => rewriteResults((result) => [{ ...result, correctOptionId: ((result.correctOptionId ?? 0) + 1) % 4 }]),
    ],
    [
      'stores other rounds than it has sent',
      /^(stored|compact)$/,
      () => ({
        body: (path, body) => (path.startsWith('/api/v1/games/') ? { ...(body as object), rounds: [] } : body),
      }),
    ],
  ])('%s', async (_, kind, createRewrites) => {
    const { url, services } = arena.replicas[0] as TestService;
    const proxy = await startRewritingProxy(url, createRewrites());
    try {
      const options: ProveOptions = {
        url: proxy.url,
        players: 2,
        games: 1,
        durationMs: 100,
        roundMs: 1000,
        file: await writeAccounts(services, folder, 2),
        everyMs: 1000,
        lateMaxMs: 60_000,
        signal: new AbortController().signal,
      };
      const { violations, histories } = await prove(options);
      expect(violations.map((violation) => violation.kind)).toContainEqual(expect.stringMatching(kind));
      expect(histories).toHaveLength(1);
    } finally {
      await proxy.stop();
    }
  });
});
