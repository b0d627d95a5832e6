// The schema of the words of a deck or list, and of what a user knows of each. [contract 13]
import { z } from 'zod';

/** What a user can know of a word. */
export const KNOWLEDGE = ['new', 'learning', 'known'] as const;

export const WordPage = z
  .object({
    words: z
      .array(
        z.object({
          wordId: z.guid().describe('The id of the word.'),
          prompt: z.string().describe('The word to translate.'),
          gloss: z.string().optional().describe('Absent when the word has none.'),
          accepted: z.array(z.string()).describe('The translations that the deck or list has of it.'),
          state: z
            .enum(KNOWLEDGE)
            .describe('`new` until your first answer counts, `known` from a stability of 21 days on.'),
          due: z.iso.datetime().nullable().describe('When it is to be asked again; null while it is new or suspended.'),
          suspended: z.boolean().describe('Whether you have suspended it.'),
        }),
      )
      .describe('The words of the page.'),
    next: z
      .string()
      .nullable()
      .describe(
        'The value of `after` for the next page, and null on the last one. A page may have fewer words than `limit`, even none, and still a next one.',
      ),
  })
  .meta({
    id: 'WordPage',
    description: 'Words of a deck or list, in the order of their prompts.',
    examples: [
      {
        words: [
          {
            wordId: '3f0c2b7e-91d4-4a6b-8c15-7d2e9f604a38',
            prompt: 'house',
            gloss: 'a building to live in',
            accepted: ['casa'],
            state: 'learning',
            due: '2026-11-23T09:10:00.000Z',
            suspended: false,
          },
        ],
        next: 'WyJsYW1wIiwiMDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAwIl0',
      },
    ],
  });
export type WordPage = z.output<typeof WordPage>;
