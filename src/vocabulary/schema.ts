// The schemas of texts, languages, parts of speech, levels, decks, questions, and answers. [contract 2, 3, 4, 14, 20]
import { z } from 'zod';
import { type AppError, invalid } from '../errors.ts';
import { listOf, text, whole } from '../fields.ts';
import { VERDICTS } from '../judging/verdict.ts';
import { problemOf, type TextProblem, tidy } from '../text.ts';

/** @returns the schema of a text of at most `max` code points, which it brings into NFC and trims */
export function tidyText(max: number): z.ZodString {
  const messages: Record<TextProblem, string> = {
    empty: 'must not be empty',
    too_long: `must be at most ${max} characters long`,
    too_many_marks: 'must not have more than 30 combining marks in a row',
    ill_formed: 'is not valid UTF-8',
    control_character: 'must not contain control characters',
  };
  return (
    z
      .string()
      .overwrite((text) => tidy(text, max))
      .check(({ value, issues }) => {
        const problem = problemOf(value, max);
        if (problem) issues.push({ code: 'custom', message: messages[problem], input: value });
      })
      // The published description can't express the check, but has the lengths.
      .meta({ minLength: 1, maxLength: max })
  );
}

export const LANGUAGES = ['en', 'it', 'es', 'fr', 'de'] as const;
export const PARTS_OF_SPEECH = ['noun', 'verb', 'adjective', 'adverb'] as const;
export const DIFFICULTIES = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const;

export const SupportedLanguageCode = z
  .enum(LANGUAGES)
  .meta({ id: 'SupportedLanguageCode', description: 'A language, by its ISO 639-1 code.' });

export const SupportedPos = z.enum(PARTS_OF_SPEECH).meta({ id: 'SupportedPos', description: 'A part of speech.' });

export const DifficultyLevel = z
  .enum(DIFFICULTIES)
  .meta({ id: 'DifficultyLevel', description: 'A CEFR level, from A1 (easiest) to C2.' });

export const deckShape = {
  sourceLanguage: SupportedLanguageCode.describe('The language of the prompts.'),
  targetLanguage: SupportedLanguageCode.meta({ description: 'The language of the answers.', examples: ['it'] }),
  pos: SupportedPos.describe('The part of speech.'),
  difficulty: DifficultyLevel.describe('The level of the words.'),
};

/** All terms of one direction, part of speech and level. */
export type Deck = z.output<z.ZodObject<typeof deckShape>>;

/** A deck, or those of its words that have a topic. [contract 26] */
export type AskedDeck = Deck & { topic?: string | undefined };

type Languages = Record<'sourceLanguage' | 'targetLanguage', string>;

/** A zod check that refuses an object whose two languages are the same. */
export function differentLanguages({ value, issues }: z.core.ParsePayload<Languages>): void {
  if (value.sourceLanguage !== value.targetLanguage) return;
  const message = 'must differ from sourceLanguage';
  issues.push({ code: 'custom', path: ['targetLanguage'], message, input: value });
}

export const QuestionOption = z.object({
  optionId: z.int().min(0).max(3).describe('The number of the option, counted from 0.'),
  text: z.string().describe('The text of the option.'),
});
export type QuestionOption = z.output<typeof QuestionOption>;

export const QUESTION_EXAMPLE = {
  questionId: '0d4f9d2c-7b53-4f0e-9a55-1f4f6e3a8b21',
  prompt: 'house',
  gloss: 'a building to live in',
  options: [
    { optionId: 0, text: 'casa' },
    { optionId: 1, text: 'libro' },
    { optionId: 2, text: 'gatto' },
    { optionId: 3, text: 'strada' },
  ],
  commitment: 'PYFZVC2czdGGPi-MwszJbZ-dQiAqCzv2KW2gpXEVxkg',
};

/** The nonce that opens the example's commitment to its first option. */
export const QUESTION_EXAMPLE_NONCE = 'UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw';

export const Question = z
  .object({
    questionId: z.uuid().describe('The id of the question.'),
    prompt: z.string().describe('The word to translate.'),
    gloss: z.string().optional().describe('Absent when the term has none.'),
    options: z
      .array(QuestionOption)
      .length(4)
      .optional()
      .describe('The four answers to choose from; absent where the answer is typed.'),
    answerMode: z.literal('typed').optional().describe('Only of a question whose answer is typed.'),
    commitment: z
      .string()
      .describe(
        'SHA-256, base64url, of `<questionId>:<correctOptionId>:<nonce>`, or of `<questionId>:<correctText>:<nonce>` where the answer is typed; the nonce comes with the judgement.',
      ),
  })
  .meta({
    id: 'Question',
    description: 'A term to translate, with four options, one of which is right, or without any.',
    examples: [QUESTION_EXAMPLE],
  });
export type Question = z.output<typeof Question>;

export const Vocabulary = z
  .object({
    languages: z.array(SupportedLanguageCode).describe('The languages of prompts and answers, as ISO 639-1 codes.'),
    partsOfSpeech: z.array(SupportedPos).describe('The parts of speech.'),
    difficulties: z.array(DifficultyLevel).describe('The levels of the CEFR, the easiest first.'),
    decks: listOf('The decks that have terms.', {
      ...deckShape,
      terms: whole('The number of its terms.', 112),
      questions: whole(
        'The number of different questions: pairs of prompt and gloss that have three possible wrong options.',
        104,
      ),
      topics: listOf('The topics with at least four questions, by name.', {
        topic: text('The name of the topic.', 'food'),
        questions: z.int().min(4).describe('The number of different questions about it.'),
      }),
      sources: listOf('The sources of its terms.', {
        name: text('The name of the source.', 'built-in'),
        licence: text('The licence.', 'CC0-1.0'),
        terms: whole('The number of words.', 112),
      }),
    }),
  })
  .meta({
    id: 'Vocabulary',
    description: 'The languages, parts of speech, levels and decks from which a quiz or a game can be started.',
  });
export type Vocabulary = z.output<typeof Vocabulary>;

/** The maximum length of a typed answer, in code points. */
export const ANSWER_LENGTH = 120;

export const AnswerMode = z
  .enum(['choice', 'typed'])
  .meta({ id: 'AnswerMode', description: '`choice`: questions have four options. `typed`: the answer is a text.' });
export type AnswerMode = z.output<typeof AnswerMode>;

export const VerdictSchema = z
  .enum(VERDICTS)
  .meta({ id: 'Verdict', description: 'How a typed answer is judged. `close` is right but for a slip.' });

/** What a judgement reveals of a typed question. */
export const typedSolution = {
  correctText: z.string().optional().describe('Only of a typed question: the translation that was asked.'),
  accepted: z
    .array(z.string())
    .optional()
    .describe(
      'Only of a typed question: the accepted translations, the asked one at first, and beside it as many as 400 bytes hold.',
    ),
};

/** The fields of a request that answers a question. Its schema adds `.check(oneAnswer)` and describes it by `ONE_ANSWER`. */
export const answerFields = {
  optionId: z.int().min(0).max(3).optional().describe('The chosen option.'),
  text: tidyText(ANSWER_LENGTH).optional().describe('The answer to a typed question, instead of `optionId`.'),
};

/** What `oneAnswer` checks, for the meta of a request. */
export const ONE_ANSWER = {
  oneOf: ['optionId', 'text'].map((field) => ({ required: [field], properties: { [field]: true } })),
};

type AnswerFields = z.output<z.ZodObject<typeof answerFields>>;

/** A zod check that refuses an answer with both fields or with none. */
export function oneAnswer({ value, issues }: z.core.ParsePayload<AnswerFields>): void {
  if ((value.optionId === undefined) !== (value.text === undefined)) return;
  const [path, message] =
    value.text === undefined ? ['optionId', 'is required'] : ['text', 'must not be combined with optionId'];
  issues.push({ code: 'custom', path: [path], message, input: value });
}

/** An answer to a question: a chosen option, or a text after NFC and trimming. */
export type Answer = { optionId: number } | { text: string };

/** @returns the answer of a request that `oneAnswer` has accepted */
export function answerOf({ optionId, text }: AnswerFields): Answer {
  return text === undefined ? { optionId: optionId as number } : { text };
}

export function wrongMode(answer: Answer): AppError {
  return invalid([
    'text' in answer
      ? { path: 'text', message: 'must not be given: the question has options' }
      : { path: 'optionId', message: 'must not be given: the question has no options' },
  ]);
}
