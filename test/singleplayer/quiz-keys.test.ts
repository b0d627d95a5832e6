// The hash tags of quizzes, on which the scripts of a quiz rely on a Redis Cluster.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { liveKey, newQuizId, PENDING_KEYS, pendingKey, quizKey, reviewsKey } from '../../src/singleplayer/keys.ts';

const tagIn = (key: string) => /\{(.+)\}/.exec(key)?.[1];

test('the ids of a user’s quizzes are different random UUIDs', () => {
  const userId = randomUUID();
  const ids = Array.from({ length: 1000 }, () => newQuizId(userId));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true);
});

test('all keys of a user’s quizzes share a hash tag', () => {
  const userId = randomUUID();
  const keys = Array.from({ length: 10 }, () => newQuizId(userId)).flatMap((id) => [
    quizKey(id),
    liveKey(id, userId),
    reviewsKey(id),
    pendingKey(id),
  ]);
  expect(new Set(keys.map(tagIn)).size).toBe(1);
});

test('each quiz belongs to one of 256 indexes of pending quizzes', () => {
  expect(new Set(PENDING_KEYS).size).toBe(256);
  for (let tries = 0; tries < 1000; tries++) expect(PENDING_KEYS).toContain(pendingKey(newQuizId(randomUUID())));
});
