// `POST /api/v1/assignments` draws the questions of an assignment, once for everybody. [contract 21]
import { randomBytes } from 'node:crypto';
import { BUDGETS } from '../budgets.ts';
import { AppError, invalid } from '../errors.ts';
import { codeFrom } from '../lobby/rules.ts';
import { type Database, isUniqueViolation } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { drawQuestions } from '../vocabulary/draw-questions.ts';
import { type PlayableList, requireList } from '../vocabulary/lists/store.ts';
import type { SealedQuestion } from '../vocabulary/rules.ts';
import type { AnswerMode, Deck } from '../vocabulary/schema.ts';
import type { DeckOrList } from '../vocabulary/words.ts';
import { drawFromGame } from './draw-from-game.ts';
import { CODE_LENGTH, type StoredQuestion } from './rules.ts';
import { type Assignment, type CreateAssignmentRequest, MAX_DAYS_AHEAD } from './schema.ts';
import { type AssignmentWords, findByCode, findOwner, insertAssignment, type TimeRefusal } from './store.ts';

/** How many codes are tried; beyond it the creation fails with 500. */
const CODE_ATTEMPTS = 5;

export function timeRefused(refusal: TimeRefusal): AppError {
  const messages = {
    past: 'must be in the future',
    too_far: `must be at most ${MAX_DAYS_AHEAD} days ahead`,
    before_opening: 'must be after opensAt',
  };
  return invalid([{ path: 'closesAt', message: messages[refusal] }]);
}

/**
 * @param deps.newCode generates a code, again after a unique violation
 * @throws AppError ACCOUNT_NEEDED, GAME_NOT_FOUND, LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS,
 *   TOO_MANY_ASSIGNMENTS, VALIDATION_FAILED for the times
 */
export async function createAssignment(
  deps: Pick<Services, 'db' | 'pools' | 'random'> & { newCode?: () => string },
  ownerId: string,
  { title, attempts, opensAt, closesAt, questionCount, answerMode, ...choice }: CreateAssignmentRequest,
): Promise<Assignment> {
  const owner = await findOwner(deps.db, ownerId);
  if (!owner) throw new AppError('UNAUTHENTICATED');
  if (owner.isGuest) throw new AppError('ACCOUNT_NEEDED');
  const { words, drawn } = await draw(deps, ownerId, choice, { questionCount, answerMode });
  const assignment = {
    ownerId,
    title,
    attempts,
    opensAt,
    closesAt,
    answerMode,
    words: shownWords(words),
    questions: drawn.map(toStored),
  };
  const newCode = deps.newCode ?? (() => codeFrom(randomBytes(CODE_LENGTH)));
  const code = await insertWithCode(deps.db, assignment, newCode);
  const found = await findByCode(deps.db, code, ownerId);
  // The owner may have been deleted meanwhile, and the assignment too.
  if (!found) throw new AppError('UNAUTHENTICATED');
  return found.view;
}

async function draw(
  deps: Pick<Services, 'db' | 'pools' | 'random'>,
  ownerId: string,
  choice: DeckOrList | { gameId: string },
  asked: { questionCount: number; answerMode: AnswerMode },
): Promise<{ words: Deck | PlayableList; drawn: SealedQuestion[] }> {
  if ('gameId' in choice) return drawFromGame(deps, ownerId, choice.gameId, asked);
  const words = 'listId' in choice ? await requireList(deps.db, choice, ownerId) : choice;
  return { words, drawn: await drawQuestions(deps, words, asked.questionCount, asked) };
}

/** @returns the code of the stored assignment */
async function insertWithCode(
  db: Database,
  assignment: Omit<Parameters<typeof insertAssignment>[1], 'code'>,
  newCode: () => string,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const code = newCode();
    try {
      const outcome = await insertAssignment(db, { code, ...assignment });
      if (outcome === 'created') return code;
      if (outcome === 'no_owner') throw new AppError('UNAUTHENTICATED');
      if (outcome === 'too_many')
        throw new AppError('TOO_MANY_ASSIGNMENTS', `You have ${BUDGETS.assignments.max} assignments already.`);
      throw timeRefused(outcome);
    } catch (error) {
      if (attempt === CODE_ATTEMPTS || !isUniqueViolation(error)) throw error;
    }
  }
}

function shownWords(words: Deck | PlayableList): AssignmentWords {
  if (!('listId' in words)) return words;
  const { listId, reverse, name: listName, sourceLanguage, targetLanguage } = words;
  return { listId, listName, sourceLanguage, targetLanguage, ...(reverse && { reverse }) };
}

/** @returns the question without its order of options and its commitment, which each attempt gets anew */
function toStored({ question, ...solution }: SealedQuestion): StoredQuestion {
  const { questionId, prompt, gloss, options = [] } = question;
  const asked = { questionId, prompt, ...(gloss === undefined ? {} : { gloss }) };
  if ('accepted' in solution) {
    const [correctText = '', ...further] = solution.accepted;
    return { ...asked, correctText, further };
  }
  const { correctOptionId } = solution;
  const wrong = options.filter(({ optionId }) => optionId !== correctOptionId);
  return { ...asked, correctText: options[correctOptionId]?.text ?? '', wrong: wrong.map(({ text }) => text) };
}
