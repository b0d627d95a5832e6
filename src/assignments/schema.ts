// The schemas of assignments, of their results, and of the export of attempts. [contract 21, 22]
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { listOf, text, whole } from '../fields.ts';
import { writtenCodeMax } from '../lobby/rules.ts';
import { NAME_LENGTH_MAX } from '../names/rules.ts';
import { createPageCursor } from '../platform/page-cursor.ts';
import { AnswerResult, GameSession, MAX_QUESTIONS } from '../singleplayer/schema.ts';
import { Id } from '../validation.ts';
import { AnswerMode, Question, tidyText } from '../vocabulary/schema.ts';
import * as words from '../vocabulary/words.ts';
import { CODE_LENGTH } from './rules.ts';

/** The longest title, in code points. */
export const TITLE_LENGTH = 80;
/** The number of attempts that the owner may give each person. */
export const ATTEMPTS = { min: 1, max: BUDGETS.attempts.max } as const;
/** How far ahead an assignment may close, in days. */
export const MAX_DAYS_AHEAD = 400;

/** The longest text of a time, in UTF-16 units. */
const TIME_LENGTH = 40;
/** PostgreSQL has no year 0, which ISO 8601 has. */
const FIRST_YEAR = 2000;

/** A time in a request, which becomes one with milliseconds. zod runs all steps for a text that it refuses too. */
const Time = z
  .string()
  .max(TIME_LENGTH)
  // UTC may also be written as an offset of zero.
  .overwrite((text) => (text.length > TIME_LENGTH ? text : text.replace(/[+-]00(:?00)?$/, 'Z')))
  .check(z.iso.datetime())
  // The year of a text that is no time is NaN.
  .refine((text) => !(new Date(text).getUTCFullYear() < FIRST_YEAR), `must not be before ${FIRST_YEAR}`)
  .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()));

const DAY_MS = 86_400_000;
/** A time that requests of the published examples name: half a year after the start of the process, so that they work. */
const LATER = new Date((Math.floor(Date.now() / DAY_MS) + 180) * DAY_MS).toISOString();

const fields = {
  title: tidyText(TITLE_LENGTH).describe('The title of the assignment.'),
  attempts: z.int().min(ATTEMPTS.min).max(ATTEMPTS.max).describe('How many attempts each person may begin.'),
  opensAt: Time.describe('The time from which on attempts can begin.'),
  closesAt: Time.describe(`The time at which all attempts end, at most ${MAX_DAYS_AHEAD} days ahead.`),
};

/** Refuses an assignment that would close before it opens. */
const OPENS_FIRST = { path: ['closesAt'], error: 'must be after opensAt' };
const opensFirst = ({ opensAt, closesAt }: { opensAt?: string | undefined; closesAt?: string | undefined }) =>
  opensAt === undefined || closesAt === undefined || opensAt < closesAt;

/** Refuses a game beside the fields of a deck or a list. */
const WORDS_FIELDS = Object.keys(words.wordsFields) as (keyof typeof words.wordsFields)[];
const GAME_ALONE = { path: ['gameId'], error: `must not be combined with ${WORDS_FIELDS.join(', ')}` };

/** The number of questions where a request names none, and no game. */
const DEFAULT_QUESTIONS = 10;

export const CreateAssignmentRequest = z
  .strictObject({
    title: fields.title,
    ...words.wordsFields,
    gameId: Id.optional().describe(
      'Instead of a deck or a list: a game of which you were the host when it ended, or which you presented. Its words are asked again, those with the smallest share of right answers first.',
    ),
    questionCount: z
      .int()
      .min(1)
      .max(MAX_QUESTIONS)
      .optional()
      .describe('The number of questions; of a game at most so many, by default all of its words.')
      .meta({ default: DEFAULT_QUESTIONS }),
    answerMode: AnswerMode.default('choice').describe('Whether answers are chosen from options or typed.'),
    attempts: fields.attempts.default(1),
    opensAt: fields.opensAt.optional().describe('The time from which on attempts can begin; by default now.'),
    closesAt: fields.closesAt,
  })
  .check(words.deckOrList)
  .refine(opensFirst, OPENS_FIRST)
  .refine((given) => !given.gameId || WORDS_FIELDS.every((field) => given[field] === undefined), GAME_ALONE)
  .transform(({ gameId, questionCount = gameId ? MAX_QUESTIONS : DEFAULT_QUESTIONS, ...given }) =>
    gameId ? { ...given, questionCount, gameId } : { ...words.chosenWords(given), questionCount },
  )
  .meta({
    ...words.DECK_OR_LIST,
    id: 'CreateAssignmentRequest',
    description:
      'The words are a deck or a list, as in a quiz, or those of a finished game. Only `title` and `closesAt` are required.',
    examples: [{ title: 'Unit 3: the house', ...words.DEFAULT_DECK, questionCount: 10, attempts: 2, closesAt: LATER }],
  });
export type CreateAssignmentRequest = z.output<typeof CreateAssignmentRequest>;

export const ChangeAssignmentRequest = z
  .strictObject(fields)
  .partial()
  .refine(opensFirst, OPENS_FIRST)
  .meta({
    id: 'ChangeAssignmentRequest',
    description:
      'What is left out stays. A `closesAt` in the past closes the assignment now, and a later one reopens the attempts that the closing had ended.',
    examples: [{ closesAt: LATER, attempts: 3 }],
  });
export type ChangeAssignmentRequest = z.output<typeof ChangeAssignmentRequest>;

export const CodeParams = z.object({
  code: z
    .string()
    .meta({
      description: 'Eight characters. Case, spaces and hyphens are ignored; O is read as 0, I and L as 1.',
      maxLength: writtenCodeMax(CODE_LENGTH),
      examples: ['7KQ2ZD9M'],
    }),
});

export const PersonParams = CodeParams.extend({
  userId: z.guid().describe('The id of somebody who has begun, as the results name it.'),
});

/** The place of an assignment in the list of those that somebody has begun: 1 with an open attempt, or else 0. */
export const begunCursor = createPageCursor(z.tuple([z.int(), Time, z.guid()]), '`next` of a page');
export type BegunCursor = z.output<typeof begunCursor.schema>;

/** The best of a person's finished attempts. A hand-over can give more of them than the assignment allows. */
const Best = z
  .object({ correct: whole('The number of correct answers.', 8), total: whole('The number of all questions.', 10) })
  .nullable()
  .describe('The best of the finished attempts with a number up to `attempts`; null without one.');

export const Assignment = z
  .object({
    assignmentId: z.guid().describe('The id of the assignment.'),
    code: text('By it anybody can find and start the assignment.', '7KQ2ZD9M'),
    title: text('The title of the assignment.', 'Unit 3: the house'),
    ownerName: text('The name of who has created the assignment.', 'Ms Rossi'),
    ...words.plainWordsFields,
    listName: z.string().optional().describe('The name that the list had when the words were drawn.'),
    sourceLanguage: text('The language of the prompts.', 'en'),
    targetLanguage: text('The language of the answers.', 'it'),
    questionCount: whole('The number of questions.', 10),
    answerMode: AnswerMode,
    attempts: fields.attempts,
    opensAt: z.iso.datetime().describe('The time from which on attempts can begin.'),
    closesAt: z.iso.datetime().describe('The time at which all attempts end.'),
    createdAt: z.iso.datetime().describe('The time of creation.'),
    startedCount: z.int().optional().describe('How many people have begun. Only for the owner.'),
    finishedCount: z.int().optional().describe('How many people have finished an attempt. Only for the owner.'),
    attemptsLeft: whole('How many attempts you can still begin.', 2),
    best: Best,
    openAttempt: z.guid().nullable().describe('The session id of the attempt that you can go on with, or null.'),
  })
  .meta({ id: 'Assignment', description: 'A set of questions for as many people as have its code.' });
export type Assignment = z.output<typeof Assignment>;

export const Assignments = z
  .object({
    assignments: z.array(Assignment).describe('The assignments of the page.'),
    next: z.string().nullable().describe('`before` of the next page; null at the end.'),
  })
  .meta({ id: 'Assignments', description: 'A page of the assignments that you own, or have begun.' });
export type Assignments = z.output<typeof Assignments>;

export const AttemptSession = z
  .object({
    ...GameSession.shape,
    attempt: z.int().min(1).describe('The number of the attempt, from 1.'),
    answered: z.array(AnswerResult).describe('The judgements of the attempt so far, in the order of the answers.'),
  })
  .meta({
    id: 'AttemptSession',
    description: 'An attempt of an assignment. Its answers go to `POST /api/v1/game/answer`.',
  });
export type AttemptSession = z.output<typeof AttemptSession>;

const AttemptSummary = z.object({
  attempt: whole('The number of the attempt, counted from 1.', 1),
  startedAt: z.iso.datetime().describe('The time at which the attempt began.'),
  finishedAt: z.iso.datetime().nullable().describe('Null while it is open.'),
  correct: whole('The number of correct answers.', 8),
  answered: whole('The number of answered questions.', 10),
  total: whole('The number of all questions.', 10),
});

export const AssignmentResults = z
  .object({
    assignment: Assignment,
    people: listOf('Who has begun, by name, then id.', {
      userId: z.guid().describe('The id of the user.'),
      name: text('The name that others see.', 'Mia'),
      isGuest: z.boolean().describe('Whether the person was a guest.'),
      attempts: z.array(AttemptSummary).describe('The attempts in their order.'),
      best: Best,
    }),
    questions: listOf('The questions in the order in which they were drawn.', {
      questionId: z.guid().describe('The id of the question.'),
      prompt: text('The word to translate.', 'house'),
      gloss: z.string().optional().describe('The meaning that is asked for; absent where the word has only one.'),
      correctText: text('The translation that was asked.', 'casa'),
      rightShare: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe(
          'The share of right answers, of the first attempt of each person that answered it; null without any.',
        ),
      mostWrong: z
        .array(z.object({ text: text('The wrong answer.', 'strada'), count: whole('How many have given it.', 4) }))
        .max(3)
        .describe('The most frequent wrong answers among these.'),
    }),
    next: z.string().nullable().describe('`after` of the next page; null at the end.'),
  })
  .meta({ id: 'AssignmentResults', description: 'What people have answered in an assignment.' });
export type AssignmentResults = z.output<typeof AssignmentResults>;

/** The last person of a page of results, by name and id. */
export const personCursor = createPageCursor(z.tuple([tidyText(NAME_LENGTH_MAX), z.uuid()]), '`next` of a page');
export type PersonCursor = z.output<typeof personCursor.schema>;

export const ExportedAttempt = z.object({
  sessionId: z.guid().describe('The id of the quiz.'),
  assignmentId: z.guid().describe('The id of the assignment.'),
  code: text('The code of the assignment.', '7KQ2ZD9M'),
  title: text('The title of the assignment.', 'Unit 3: the house'),
  name: z.string().describe('The name that the owner of the assignment reads.'),
  isGuest: z.boolean().describe('Whether the attempt was begun as a guest.'),
  ...AttemptSummary.pick({ attempt: true, startedAt: true, correct: true }).shape,
  finishedAt: z.iso
    .datetime()
    .nullable()
    .describe('The time of the last answer; null while questions are not answered.'),
  answers: listOf('Your judged answers in their order, with their questions.', {
    ...Question.omit({ answerMode: true }).shape,
    ...AnswerResult.omit({ sessionId: true, questionId: true, score: true }).shape,
    judgedAt: z.iso.datetime().describe('When it was judged.'),
  }),
});
export type ExportedAttempt = z.output<typeof ExportedAttempt>;
