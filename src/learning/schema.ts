// The schemas of the progress and the calendar. [contract 13]
import { z } from 'zod';
import { deckShape } from '../vocabulary/schema.ts';

/** The maximum length of a time zone's name, twice the longest of the IANA database. */
const TIME_ZONE_MAX = 64;

/** @returns whether the name is one of IANA, all of which the runtime knows; offsets like `+01:00` are not */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

export const ProgressQuery = z.strictObject({
  timeZone: z
    .string()
    .max(TIME_ZONE_MAX)
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Rome')
    .default('UTC')
    .meta({ description: 'The IANA name of the time zone in which days begin and end.' }),
});

const counts = {
  questions: z.int().meta({ description: 'The number of different questions.' }),
  seen: z.int().meta({ description: 'Words that you have answered.' }),
  known: z.int().meta({ description: 'Words with a stability of at least 21 days.' }),
  due: z.int().meta({ description: 'Words that are due now; suspended ones never are.' }),
};

const DeckProgress = z.object({ ...deckShape, ...counts });
const ListProgress = z.object({ listId: z.guid(), name: z.string(), ...counts });

export const Progress = z
  .object({
    dueNow: z.int().meta({ description: 'The sum of all `due`.' }),
    reviewedToday: z.int().meta({ description: 'Answers that were judged today.' }),
    streakDays: z
      .int()
      .meta({ description: 'Consecutive days with an answer up to today, or to yesterday while today has none.' }),
    forecast: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: 'In the time zone that was asked for.' }),
          due: z.int().meta({ description: 'Words that become due on it; today, overdue ones too.' }),
        }),
      )
      .meta({ description: 'Seven days, from today on.' }),
    decks: z
      .array(z.union([DeckProgress, ListProgress]))
      .meta({ description: 'The decks of which you have answered a word, the shared lists too, and your own lists.' }),
  })
  .meta({
    id: 'Progress',
    description: 'What you have learned.',
    examples: [
      {
        dueNow: 12,
        reviewedToday: 30,
        streakDays: 4,
        forecast: [12, 3, 0, 5, 1, 0, 2].map((due, day) => ({ date: `2026-11-${22 + day}`, due })),
        decks: [
          {
            sourceLanguage: 'en',
            targetLanguage: 'it',
            pos: 'noun',
            difficulty: 'A1',
            questions: 104,
            seen: 61,
            known: 20,
            due: 12,
          },
          {
            listId: '5b0f6d0a-3a0e-4a57-8f0b-1a9b8c7d6e5f',
            name: 'At the station',
            questions: 5,
            seen: 0,
            known: 0,
            due: 0,
          },
        ],
      },
    ],
  });
export type Progress = z.output<typeof Progress>;

export const Calendar = z
  .object({
    days: z
      .array(
        z.object({
          date: z.iso.date().meta({ description: 'In the time zone that was asked for.' }),
          answers: z.int().min(1).meta({ description: 'Answers that were judged on it.' }),
        }),
      )
      .meta({ description: 'Those with an answer, the earliest first.' }),
  })
  .meta({
    id: 'Calendar',
    description: 'On which of the last 84 days you have learned, and how much.',
    examples: [
      {
        days: [
          { date: '2026-11-20', answers: 45 },
          { date: '2026-11-22', answers: 30 },
        ],
      },
    ],
  });
export type Calendar = z.output<typeof Calendar>;

/** The states of a word in FSRS, by the number that is stored. */
export const WORD_STATES = ['new', 'learning', 'review', 'relearning'] as const;

const WordMemoryRecord = z
  .object({
    due: z.iso.datetime().meta({ description: 'When the word is to be asked again.' }),
    stability: z.number().meta({ description: 'The days after which a right answer has a probability of 90 %.' }),
    difficulty: z.number().meta({ description: 'How hard the word is for you, from 1 to 10.' }),
    state: z.enum(WORD_STATES).meta({ description: 'The state by FSRS.' }),
    step: z.int().meta({ description: 'The number of the learning step.' }),
    scheduledDays: z.int().meta({ description: 'The days from the last answer to `due`.' }),
    reps: z.int().meta({ description: 'The number of answers.' }),
    lapses: z.int().meta({ description: 'How often a known word was forgotten.' }),
    reviewedAt: z.iso.datetime().meta({ description: 'The time of the last answer.' }),
    suspended: z.boolean().meta({ description: 'Whether you have suspended the word.' }),
  })
  .meta({ description: 'What the service knows of you and the word, by FSRS.' });
export type WordMemoryRecord = z.output<typeof WordMemoryRecord>;

/** A word that a user has learned, as an export has it. [contract 22] */
export const LearnedWord = z.union([
  z.object({ ...deckShape, prompt: z.string(), gloss: z.string().optional(), memory: WordMemoryRecord }),
  z.object({
    listId: z.guid(),
    listName: z.string().optional().meta({ description: 'Absent if you may not read the list any more.' }),
    prompt: z
      .string()
      .optional()
      .meta({ description: 'Absent if you may not read the list, or it has lost the word.' }),
    gloss: z.string().optional(),
    memory: WordMemoryRecord,
  }),
]);
export type LearnedWord = z.output<typeof LearnedWord>;
