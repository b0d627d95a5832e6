// The schema of the words of a deck or list, and of what a user knows of each. [contract 13]
import { z } from 'zod';

/** What a user can know of a word. */
export const KNOWLEDGE = ['new', 'learning', 'known'] as const;

export const WordPage = z
  .object({
    words: z.array(
      z.object({
        wordId: z.guid(),
        prompt: z.string(),
        gloss: z.string().optional().meta({ description: 'Absent when the word has none.' }),
        accepted: z.array(z.string()).meta({ description: 'The translations that the deck or list has of it.' }),
        state: z
          .enum(KNOWLEDGE)
          .meta({ description: '`new` until your first answer counts, `known` from a stability of 21 days on.' }),
        due: z.iso
          .datetime()
          .nullable()
          .meta({ description: 'When it is to be asked again; null while it is new or suspended.' }),
        suspended: z.boolean().meta({ description: 'Whether you have suspended it.' }),
      }),
    ),
    next: z
      .string()
      .nullable()
      .meta({
        description:
          'The value of `after` for the next page, and null on the last one. A page may have fewer words than `limit`, even none, and still a next one.',
      }),
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
