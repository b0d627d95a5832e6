// The schemas of what people have answered in assignments: for the owner, and for the export of a user's data.
// [contract 21, 22]
import { z } from 'zod';
import { AnswerResult } from '../singleplayer/schema.ts';
import { QUESTION_EXAMPLE, Question } from '../vocabulary/schema.ts';
import { ASSIGNMENT_EXAMPLE, Assignment, Best } from './schema.ts';

const AttemptSummary = z.object({
  attempt: z.int().describe('The number of the attempt, counted from 1.'),
  startedAt: z.iso.datetime().describe('The time at which the attempt began.'),
  finishedAt: z.iso.datetime().nullable().describe('Null while it is open.'),
  correct: z.int().describe('The number of correct answers.'),
  answered: z.int().describe('The number of answered questions.'),
  total: z.int().describe('The number of all questions.'),
});

export const AssignmentResults = z
  .object({
    assignment: Assignment,
    people: z
      .array(
        z.object({
          userId: z.guid().describe('The id of the user.'),
          name: z.string().describe('The name that others see.'),
          isGuest: z.boolean().describe('Whether the person was a guest.'),
          attempts: z.array(AttemptSummary).describe('The attempts in their order.'),
          best: Best,
        }),
      )
      .describe('Who has begun, by name, then id.'),
    questions: z
      .array(
        z.object({
          questionId: z.guid().describe('The id of the question.'),
          prompt: z.string().describe('The word to translate.'),
          gloss: z.string().optional().describe('The meaning that is asked for; absent where the word has only one.'),
          correctText: z.string().describe('The translation that was asked.'),
          rightShare: z
            .number()
            .min(0)
            .max(1)
            .nullable()
            .describe(
              'The share of right answers, of the first attempt of each person that answered it; null without any.',
            ),
          mostWrong: z
            .array(
              z.object({
                text: z.string().describe('The wrong answer.'),
                count: z.int().describe('How many have given it.'),
              }),
            )
            .max(3)
            .describe('The most frequent wrong answers among these.'),
        }),
      )
      .describe('The questions in the order in which they were drawn.'),
    next: z.string().nullable().describe('`after` of the next page; null at the end.'),
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
  sessionId: z.guid().describe('The id of the quiz.'),
  assignmentId: z.guid().describe('The id of the assignment.'),
  code: z.string().describe('The code of the assignment.'),
  title: z.string().describe('The title of the assignment.'),
  name: z.string().describe('The name that the owner of the assignment reads.'),
  isGuest: z.boolean().describe('Whether the attempt was begun as a guest.'),
  attempt: z.int().describe('The number of the attempt, counted from 1.'),
  startedAt: z.iso.datetime().describe('The time at which the attempt began.'),
  finishedAt: z.iso
    .datetime()
    .nullable()
    .describe('The time of the last answer; null while questions are not answered.'),
  correct: z.int().describe('The number of correct answers.'),
  answers: z
    .array(
      z.object({
        ...Question.omit({ answerMode: true }).shape,
        ...AnswerResult.omit({ sessionId: true, questionId: true, score: true }).shape,
        judgedAt: z.iso.datetime().describe('When it was judged.'),
      }),
    )
    .describe('Your judged answers in their order, with their questions.'),
});
export type ExportedAttempt = z.output<typeof ExportedAttempt>;
