// The schemas of what people have answered in assignments: for the owner, and for the export of a user's data.
// [contract 21, 22]
import { z } from 'zod';
import { AnswerResult } from '../singleplayer/schema.ts';
import { QUESTION_EXAMPLE, Question } from '../vocabulary/schema.ts';
import { ASSIGNMENT_EXAMPLE, Assignment, Best } from './schema.ts';

const AttemptSummary = z.object({
  attempt: z.int(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable().meta({ description: 'Null while it is open.' }),
  correct: z.int(),
  answered: z.int(),
  total: z.int(),
});

export const AssignmentResults = z
  .object({
    assignment: Assignment,
    people: z
      .array(
        z.object({
          userId: z.guid(),
          name: z.string(),
          isGuest: z.boolean(),
          attempts: z.array(AttemptSummary),
          best: Best,
        }),
      )
      .meta({ description: 'Who has begun, by name, then id.' }),
    questions: z
      .array(
        z.object({
          questionId: z.guid(),
          prompt: z.string(),
          gloss: z.string().optional(),
          correctText: z.string(),
          rightShare: z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .meta({
              description:
                'The share of right answers, of the first attempt of each person that answered it; null without any.',
            }),
          mostWrong: z
            .array(z.object({ text: z.string(), count: z.int() }))
            .max(3)
            .meta({ description: 'The most frequent wrong answers among these.' }),
        }),
      )
      .meta({ description: 'The questions in the order in which they were drawn.' }),
    next: z.string().nullable().meta({ description: '`after` of the next page; null at the end.' }),
  })
  .meta({
    id: 'AssignmentResults',
    description: 'What people have answered in an assignment.',
    examples: [
      {
        assignment: ASSIGNMENT_EXAMPLE,
        people: [
          {
            userId: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
            name: 'Mia',
            isGuest: true,
            attempts: [
              {
                attempt: 1,
                startedAt: '2026-11-26T14:00:00.000Z',
                finishedAt: '2026-11-26T14:06:30.000Z',
                correct: 8,
                answered: 10,
                total: 10,
              },
            ],
            best: { correct: 8, total: 10 },
          },
        ],
        questions: [
          {
            questionId: QUESTION_EXAMPLE.questionId,
            prompt: QUESTION_EXAMPLE.prompt,
            gloss: QUESTION_EXAMPLE.gloss,
            correctText: 'casa',
            rightShare: 0.75,
            mostWrong: [{ text: 'strada', count: 4 }],
          },
        ],
        next: null,
      },
    ],
  });
export type AssignmentResults = z.output<typeof AssignmentResults>;

/** An attempt in the export of a user's data. */
export const ExportedAttempt = z.object({
  sessionId: z.guid(),
  assignmentId: z.guid(),
  code: z.string().meta({ description: 'The code of the assignment.' }),
  title: z.string(),
  name: z.string().meta({ description: 'The name that the owner of the assignment reads.' }),
  isGuest: z.boolean(),
  attempt: z.int(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'The time of the last answer; null while questions are not answered.' }),
  correct: z.int(),
  answers: z
    .array(
      z.object({
        ...Question.omit({ answerMode: true }).shape,
        ...AnswerResult.omit({ sessionId: true, questionId: true, score: true }).shape,
        judgedAt: z.iso.datetime().meta({ description: 'When it was judged.' }),
      }),
    )
    .meta({ description: 'Your judged answers in their order, with their questions.' }),
});
export type ExportedAttempt = z.output<typeof ExportedAttempt>;
