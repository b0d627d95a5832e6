// What the service remembers of a learner: words never answered come first, all that was answered is
// counted, and nothing is counted twice. [contract 13, 14]
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, type Progress } from '../client/index.ts';
import { untilGranted } from './asking.ts';
import { checkQuiz } from './checker/quiz.ts';
import type { QuizHistory, Violation, Word } from './history.ts';
import type { Account } from './player.ts';
import { playQuiz, type QuizDeps } from './quiz.ts';
import type { Random } from './random.ts';

/** Two quizzes ask each word once. */
const PER_QUIZ = 3;
const WORDS = 2 * PER_QUIZ;
/** From then on what was answered wrongly is due, and comes before what is new. */
const DUE_MS = 50_000;
/** A worker needs ten seconds, and may have to be started first. */
const WRITTEN_MS = 60_000;
const LOOK_EVERY_MS = 2000;

/** A list of one's own, readable for all who play with it. */
export interface OwnList {
  listId: string;
  words: readonly Word[];
  /** Takes it away again. */
  remove(): Promise<void>;
}

export async function createOwnList(deps: QuizDeps, { cookie }: Account): Promise<OwnList> {
  const client = createClient({ baseUrl: deps.url, cookie });
  const words = Array.from({ length: WORDS }, (_, index) => ({
    sourceText: `word ${index + 1}`,
    targetText: `parola ${index + 1}`,
  }));
  const name = `Prove ${randomBytes(8).toString('hex')}`;
  const { listId } = await untilGranted(deps, 'a list', () =>
    client.createList({
      ...{ name, sourceLanguage: 'en', targetLanguage: 'it', shared: true },
      terms: words,
    }),
  );
  async function remove(): Promise<void> {
    const { lists } = await untilGranted(deps, 'the lists', () => client.getLists());
    // One whose reply was lost is there as well.
    for (const list of lists.filter((of) => of.name === name))
      await untilGranted(deps, 'a list less', () => client.deleteList(list.listId));
  }
  return { listId, words, remove };
}

/**
 * Learns a list that nobody has answered yet.
 * @throws ApiError when the learner is not let
 */
export async function study(
  deps: QuizDeps,
  learner: Account,
  stranger: Account,
  { listId, words }: Pick<OwnList, 'listId' | 'words'>,
  random: Random,
): Promise<{ quizzes: QuizHistory[]; violations: Violation[] }> {
  const request = { listId, order: 'smart' as const, questionCount: PER_QUIZ };
  const plan = { request, words, stranger };
  const begunMs = Date.now();
  const first = await playQuiz(deps, learner, plan, random);
  const answered = new Set(first.questions.map(({ prompt }) => prompt));
  const isSeen = await untilTold(deps, learner, ({ decks }) => {
    const deck = decks.find((of) => 'listId' in of && of.listId === listId);
    return deck?.seen === answered.size && deck.questions === WORDS;
  });
  const second = await playQuiz(deps, learner, plan, random);
  const isEarly = Date.now() - begunMs < DUE_MS;
  const repeated = second.questions.filter(({ prompt }) => answered.has(prompt));
  const texts = [
    ...(isSeen ? [] : [`${learner.name}'s ${answered.size} answers are not remembered`]),
    ...(isSeen && isEarly && repeated.length > 0
      ? [`${learner.name} is asked ${repeated[0]?.prompt} again before what is new`]
      : []),
  ];
  return {
    quizzes: [first, second],
    violations: [
      ...texts.map((text) => ({ kind: 'learning', text })),
      ...[first, second].flatMap(checkQuiz),
    ],
  };
}

/** @returns whether it was told within the time that writing it may take */
export async function untilTold(
  deps: QuizDeps,
  { cookie }: Account,
  isTold: (progress: Progress) => boolean,
): Promise<boolean> {
  const client: Client = createClient({ baseUrl: deps.url, cookie });
  const endMs = Date.now() + WRITTEN_MS;
  for (;;) {
    const progress = await untilGranted(deps, 'the progress', () => client.getProgress());
    if (isTold(progress)) return true;
    if (Date.now() > endMs) return false;
    await sleep(LOOK_EVERY_MS, undefined, { signal: deps.signal });
  }
}
