// The schemas of requests and responses about guests. [contract 11]
import { z } from 'zod';
import { NAME_RULE, parseUserName } from '../input/user-name.ts';

export const GuestRequest = z
  .strictObject({
    name: z
      .string()
      .transform((text, context) => {
        const name = parseUserName(text);
        if (name === null) context.addIssue({ code: 'custom', message: NAME_RULE });
        return name ?? z.NEVER;
      })
      .meta({ description: `${NAME_RULE}.`, minLength: 1, maxLength: 200, example: 'Ada' }),
  })
  .meta({ id: 'GuestRequest', description: 'What everybody in a lobby calls the guest.' });

export type GuestRequest = z.output<typeof GuestRequest>;

export const Guest = z
  .object({
    user: z.object({ id: z.uuid(), name: z.string(), isGuest: z.literal(true) }),
  })
  .meta({ id: 'Guest', description: 'Who plays by a name alone.' });
export type Guest = z.output<typeof Guest>;
