// The schemas of languages, parts of speech, levels, decks and questions. [contract 2, 3, 4]
import { z } from 'zod';

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

/** The required fields that name a deck. */
export const deckShape = {
  sourceLanguage: SupportedLanguageCode,
  targetLanguage: SupportedLanguageCode,
  pos: SupportedPos,
  difficulty: DifficultyLevel,
};

/** All terms of one direction, part of speech and level. */
export interface Deck {
  sourceLanguage: z.output<typeof SupportedLanguageCode>;
  targetLanguage: z.output<typeof SupportedLanguageCode>;
  pos: z.output<typeof SupportedPos>;
  difficulty: z.output<typeof DifficultyLevel>;
}

/** The fields that name a deck, or a list by its id. */
export type DeckOrListFields = { [Field in keyof Deck]?: Deck[Field] | undefined } & { listId?: string | undefined };

/** A zod check that refuses an object whose two languages are the same. */
export function differentLanguages(ctx: z.core.ParsePayload<{ sourceLanguage: string; targetLanguage: string }>): void {
  if (ctx.value.sourceLanguage !== ctx.value.targetLanguage) return;
  ctx.issues.push({
    code: 'custom',
    path: ['targetLanguage'],
    message: 'must differ from sourceLanguage',
    input: ctx.value,
  });
}

/** An option of a question. */
export const QuestionOption = z.object({ optionId: z.int().min(0).max(3), text: z.string() });
export type QuestionOption = z.output<typeof QuestionOption>;

/** The question of the published examples. */
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

/** A question without its answer. */
export const Question = z
  .object({
    questionId: z.uuid(),
    prompt: z.string(),
    gloss: z.string().optional().meta({ description: 'Absent when the term has none.' }),
    options: z
      .array(QuestionOption)
      .length(4)
      .optional()
      .meta({ description: 'The four answers to choose from; absent where the answer is typed.' }),
    answerMode: z.literal('typed').optional().meta({ description: 'Only of a question whose answer is typed.' }),
    commitment: z
      .string()
      .meta({
        description:
          'SHA-256, base64url, of `<questionId>:<correctOptionId>:<nonce>`, or of `<questionId>:<correctText>:<nonce>` where the answer is typed; the nonce comes with the judgement.',
      }),
  })
  .meta({
    id: 'Question',
    description: 'A term to translate, with four options, one of which is right, or without any.',
    examples: [QUESTION_EXAMPLE],
  });
export type Question = z.output<typeof Question>;

export const Vocabulary = z
  .object({
    languages: z.array(SupportedLanguageCode),
    partsOfSpeech: z.array(SupportedPos),
    difficulties: z.array(DifficultyLevel),
    decks: z
      .array(
        z.object({
          ...deckShape,
          terms: z.int().meta({ description: 'The number of its terms.' }),
          questions: z
            .int()
            .meta({
              description:
                'The number of different questions: pairs of prompt and gloss that have three possible wrong options.',
            }),
          sources: z
            .array(z.object({ name: z.string(), licence: z.string(), terms: z.int() }))
            .meta({ description: 'The sources of its terms.' }),
        }),
      )
      .meta({ description: 'The decks that have terms.' }),
  })
  .meta({
    id: 'Vocabulary',
    description: 'The languages, parts of speech, levels and decks from which a quiz or a game can be started.',
    examples: [
      {
        languages: [...LANGUAGES],
        partsOfSpeech: [...PARTS_OF_SPEECH],
        difficulties: [...DIFFICULTIES],
        decks: [
          {
            sourceLanguage: 'en',
            targetLanguage: 'it',
            pos: 'noun',
            difficulty: 'A1',
            terms: 112,
            questions: 104,
            sources: [{ name: 'built-in', licence: 'CC0-1.0', terms: 112 }],
          },
        ],
      },
    ],
  });
