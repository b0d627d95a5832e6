// Plays a single-player quiz to its end: it answers each question twice, and lets another user answer one
// of them. [contract 3]
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerResult, ApiError, type Client, createClient, type GameRequest } from '../../client/index.ts';
import type { ListTerm, QuizAnswer, QuizHistory } from './history.ts';
import type { Account } from './player.ts';
import type { Random } from './random.ts';
import { type RetryContext, retryUntilGranted } from './retry.ts';

const OPTIONS = 4;

export interface QuizDeps extends RetryContext {
  url: string;
  /** The longest time before an answer, ms. */
  thinkMs: number;
}

export interface QuizPlan {
  request: GameRequest & { questionCount: number };
  /** The terms that questions are drawn from, or null if they are not known. */
  words: readonly ListTerm[] | null;
  /** Another user, who tries to answer a question of this quiz. */
  stranger: Account;
}

/** @throws ApiError if the service refuses the quiz */
export async function playQuiz(
  deps: QuizDeps,
  { id, cookie }: Account,
  { request, words, stranger }: QuizPlan,
  random: Random,
): Promise<QuizHistory> {
  const client = createClient({ baseUrl: deps.url, cookie });
  const { sessionId, questions } = await retryUntilGranted(deps, 'a quiz', () => client.startGame(request));
  const answers = await answerAll(deps, client, { sessionId, questions }, { id, stranger, random });
  const { questionCount } = request;
  return { userId: id, sessionId, questionCount, questions, words, answers };
}

/**
 * Answers each question of a session by chance, twice; another user tries to answer the first one.
 * @param beforeEach is called before each question with the number of answers so far
 */
export async function answerAll(
  deps: QuizDeps,
  client: Client,
  { sessionId, questions }: Pick<QuizHistory, 'sessionId' | 'questions'>,
  { id, stranger, random }: { id: string; stranger: Account; random: Random },
  beforeEach: (done: number) => Promise<void> = async () => {},
): Promise<QuizAnswer[]> {
  const other = createClient({ baseUrl: deps.url, cookie: stranger.cookie });
  const answers: QuizAnswer[] = [];
  for (const { questionId } of questions) {
    await beforeEach(answers.length);
    await sleep(random.int(0, deps.thinkMs), undefined, { signal: deps.signal });
    const asked = { sessionId, questionId, optionId: random.int(0, OPTIONS - 1) };
    const isTried = answers.length === 0 && stranger.id !== id;
    const tried = isTried ? (await sendAnswer(deps, other, asked)).refusal : null;
    const said = await sendAnswer(deps, client, asked);
    const again = await sendAnswer(deps, client, asked);
    answers.push({ ...asked, ...said, again: again.refusal, stranger: tried });
  }
  return answers;
}

/** Sends an answer. @returns the judgement or the error code */
async function sendAnswer(
  deps: QuizDeps,
  client: Client,
  answer: Parameters<Client['answerQuestion']>[0],
): Promise<{ result: AnswerResult | null; refusal: string | null; isRepeated: boolean }> {
  let isRepeated = false;
  try {
    const result = await retryUntilGranted(
      deps,
      'an answer',
      () => client.answerQuestion(answer),
      () => {
        isRepeated = true;
      },
    );
    return { result, refusal: null, isRepeated };
  } catch (error) {
    // A rate limit ends the quiz. The checker judges every other refusal.
    if (!(error instanceof ApiError) || error.status === 429) throw error;
    return { result: null, refusal: error.code, isRepeated };
  }
}
