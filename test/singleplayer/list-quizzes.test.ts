// A quiz asks the words of a list. [contract 14]
import { describe, expect, it } from 'vitest';
import type { HttpClient } from '../support/http-client.ts';
import { listOf, termsOf, useLists } from '../support/lists.ts';
import type { TestService } from '../support/service.ts';

const { replicas, newUser, create, put, remove } = useLists();

describe('[contract 14] a quiz with a list', () => {
  const start = (user: HttpClient, body: object) => user.post('/api/v1/game/start', body);

  it('asks its words, with wrong options from the same list', async () => {
    const user = await newUser();
    const { listId } = await create(user, { shared: true });
    const player = await newUser(1);
    const { status, body } = await start(player, { listId, questionCount: 6 });
    expect(status).toBe(201);
    const answers = termsOf(6).map(({ targetText }) => targetText);
    expect(body.questions.map(({ prompt }: { prompt: string }) => prompt).sort()).toEqual(
      termsOf(6).map(({ sourceText }) => sourceText),
    );
    for (const { options } of body.questions) {
      const texts = options.map(({ text }: { text: string }) => text);
      expect(new Set(texts).size).toBe(4);
      expect(answers).toEqual(expect.arrayContaining(texts));
    }
  });

  it('refuses more questions than the list has, and a list beside a deck', async () => {
    const user = await newUser();
    const { listId } = await create(user);
    const many = await start(user, { listId, questionCount: 7 });
    expect([many.status, many.body.code]).toEqual([422, 'NOT_ENOUGH_TERMS']);
    for (const deck of [{ pos: 'noun' }, { sourceLanguage: 'en' }, { difficulty: 'A1' }]) {
      const both = await start(user, { listId, ...deck });
      expect([both.status, both.body.errors[0].path]).toEqual([400, 'listId']);
    }
  });

  it('is 404 for a list that the player may not read, and continues after the list is deleted', async () => {
    const [owner, other] = [await newUser(), await newUser(1)];
    const { listId } = await create(owner);
    expect((await start(other, { listId, questionCount: 4 })).body.code).toBe('LIST_NOT_FOUND');
    const { body: session } = await start(owner, { listId, questionCount: 4 });
    // The other replica caches the list, too.
    const there = owner.at((replicas[1] as TestService).url);
    expect((await start(there, { listId, questionCount: 4 })).status).toBe(201);
    await remove(owner, listId);
    for (const client of [owner, there]) expect((await start(client, { listId })).body.code).toBe('LIST_NOT_FOUND');
    const answer = { sessionId: session.sessionId, questionId: session.questions[0].questionId };
    expect((await owner.post('/api/v1/game/answer', { ...answer, optionId: 0 })).status).toBe(200);
  });

  it('asks the current words of the list, on every replica', async () => {
    const user = await newUser();
    const { listId } = await create(user);
    const there = user.at((replicas[1] as TestService).url);
    for (const client of [user, there]) await start(client, { listId, questionCount: 4 });
    const terms = termsOf(4).map(({ sourceText, targetText }) => ({ sourceText: `neues ${sourceText}`, targetText }));
    await put(user, listId, listOf({ terms }));
    for (const client of [there, user]) {
      const { body } = await start(client, { listId, questionCount: 4 });
      for (const { prompt } of body.questions) expect(prompt).toMatch(/^neues /);
    }
  });
});
