// A quiz for one, played to its end: each question answered, then answered once more, and one of them
// by somebody else too. [contract 3]
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnswerResult,
  ApiError,
  type Client,
  createClient,
  type GameRequest,
} from '../client/index.ts';
import { type Asking, untilGranted } from './asking.ts';
import type { QuizAnswer, QuizHistory, Word } from './history.ts';
import type { Account } from './player.ts';
import type { Random } from './random.ts';

const OPTIONS = 4;

export interface QuizDeps extends Asking {
  url: string;
  /** How long a player thinks at most. */
  thinkMs: number;
}

export interface QuizPlan {
  request: GameRequest & { questionCount: number };
  /** All that can be asked, where that is known. */
  words: readonly Word[] | null;
  /** Somebody else, who tries to answer. */
  stranger: Account;
}

/** @throws ApiError when the player may not begin */
export async function playQuiz(
  deps: QuizDeps,
  { id, cookie }: Account,
  { request, words, stranger }: QuizPlan,
  random: Random,
): Promise<QuizHistory> {
  const { url: baseUrl } = deps;
  const [client, other] = [cookie, stranger.cookie].map((of) =>
    createClient({ baseUrl, cookie: of }),
  ) as [Client, Client];
  const { sessionId, questions } = await untilGranted(deps, 'a quiz', () =>
    client.startGame(request),
  );
  const answers: QuizAnswer[] = [];
  for (const { questionId } of questions) {
    await sleep(random.int(0, deps.thinkMs), undefined, { signal: deps.signal });
    const asked = { sessionId, questionId, optionId: random.int(0, OPTIONS - 1) };
    const isTried = answers.length === 0 && stranger.id !== id;
    const tried = isTried ? (await say(deps, other, asked)).refusal : null;
    const said = await say(deps, client, asked);
    const again = await say(deps, client, asked);
    answers.push({ ...asked, ...said, again: again.refusal, stranger: tried });
  }
  const { questionCount } = request;
  return { userId: id, sessionId, questionCount, questions, words, answers };
}

/** @returns what came of it, a judgement or a refusal's code */
async function say(
  deps: QuizDeps,
  client: Client,
  answer: Parameters<Client['answerQuestion']>[0],
): Promise<{ result: AnswerResult | null; refusal: string | null; isRepeated: boolean }> {
  let isRepeated = false;
  try {
    const result = await untilGranted(
      deps,
      'an answer',
      () => client.answerQuestion(answer),
      () => {
        isRepeated = true;
      },
    );
    return { result, refusal: null, isRepeated };
  } catch (error) {
    // What a limiter lets nobody do is no judgement; the rest is the checker's affair.
    if (!(error instanceof ApiError) || error.status === 429) throw error;
    return { result: null, refusal: error.code, isRepeated };
  }
}
