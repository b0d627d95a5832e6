// What a start answers, as JSON. [contract 3]
import { expect, test } from 'vitest';
import { GameSession } from '../../src/singleplayer/schema.ts';
import { sessionText } from '../../src/singleplayer/session-text.ts';
import { QUESTION_EXAMPLE } from '../../src/vocabulary/schema.ts';

test('the session is written whole, whatever its words hold, and nothing besides', () => {
  const { gloss: _gloss, ...withoutGloss } = QUESTION_EXAMPLE;
  const odd = { ...QUESTION_EXAMPLE, prompt: 'a "b"\\\n', gloss: '\u2028 ß 😀 \ud800' };
  const session = {
    sessionId: '6f1c0f0e-3d3b-4a39-8a3c-5a1f0f6f2c11',
    expiresAt: '2026-11-21T09:30:00.000Z',
    questions: [QUESTION_EXAMPLE, withoutGloss, odd],
  };
  const written = sessionText({
    ...session,
    questions: session.questions.map((question) => ({ ...question, nonce: 'secret' })),
  });
  expect(JSON.parse(written)).toEqual(session);
  expect(GameSession.parse(JSON.parse(written))).toEqual(session);
});
