// The schemas of requests and responses about guests and invitations. [contract 11, 22]
import { z } from 'zod';
import { CODE_LENGTH } from '../../assignments/rules.ts';
import { NAME_RULE, parseUserName } from '../../auth/input/user-profile.ts';
import { writtenCodeMax } from '../../lobby/rules.ts';
import { LobbySettings } from '../../lobby/schema.ts';

/** The length of a list's id, which is longer than any code. */
const ID_LENGTH = 36;

export const GuestRequest = z
  .strictObject({
    name: z
      .string()
      .transform((text, context) => {
        const name = parseUserName(text);
        if (name === null) context.addIssue({ code: 'custom', message: NAME_RULE });
        return name ?? z.NEVER;
      })
      .optional()
      .meta({
        description: `${NAME_RULE}. Without it the service gives a friendly name of two words, in the first language of \`Accept-Language\` that the page has.`,
        minLength: 1,
        maxLength: 200,
        examples: ['Ada'],
      }),
    code: z
      .string()
      .optional()
      .meta({
        description:
          'The code of a lobby that can be joined now, or of an open assignment. The guest is then counted for it before the address, so that a school gets in, and stores no lists.',
        maxLength: writtenCodeMax(CODE_LENGTH),
        examples: ['7KQ2ZD'],
      }),
  })
  .meta({
    id: 'GuestRequest',
    description: 'What everybody in a lobby calls the guest, and where the guest wants to play.',
    examples: [{ name: 'Ada' }],
  });

export type GuestRequest = z.output<typeof GuestRequest>;

export const Guest = z
  .object({
    user: z
      .object({
        id: z.uuid().describe('The id of the user.'),
        name: z.string().meta({ description: 'The name that others see.', examples: ['Ada'] }),
        isGuest: z.literal(true).describe('Whether the user is a guest, without email address and password.'),
      })
      .describe('The user.'),
  })
  .meta({ id: 'Guest', description: 'Who plays by a name alone.' });
export type Guest = z.output<typeof Guest>;

export const InvitationParams = z.object({
  code: z
    .string()
    .meta({
      description:
        'The code of a lobby or of an assignment, or the id of a list. In a code, case, spaces and hyphens are ignored; O is read as 0, I and L as 1.',
      maxLength: ID_LENGTH,
      examples: ['7KQ2ZD'],
    }),
});

export const Invitation = z
  .object({
    kind: z
      .enum(['lobby', 'assignment', 'list'])
      .describe('What has the code: a lobby, an assignment, or a shared list.'),
    refusal: z
      .enum(['LOBBY_NOT_WAITING', 'LOBBY_LOCKED', 'LOBBY_FULL', 'ASSIGNMENT_NOT_OPEN', 'ASSIGNMENT_CLOSED'])
      .optional()
      .describe('Why nobody new can enter now: the code of the error that a join or a start would get.'),
    names: LobbySettings.shape.names
      .optional()
      .describe('Whose names the lobby uses: with `given`, a name is not asked for.'),
    title: z.string().optional().describe('The title of the assignment.'),
    ownerName: z.string().optional().describe('Who has set the assignment.'),
    opensAt: z.string().optional().describe('From when the assignment can be done.'),
    closesAt: z.string().optional().describe('Until when the assignment can be done.'),
  })
  .meta({ id: 'Invitation', description: 'What a code invites to.', examples: [{ kind: 'lobby' }] });
export type Invitation = z.output<typeof Invitation>;
