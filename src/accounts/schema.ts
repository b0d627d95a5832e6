// The schemas of guests and invitations, of the account page, and of a user's export. [contract 11, 22, 25]
import { z } from 'zod';
import { CODE_LENGTH } from '../assignments/rules.ts';
import { Assignment, ExportedAttempt } from '../assignments/schema.ts';
import { NAME_RULE, parseUserName } from '../auth/input/user-profile.ts';
import { listOf, text, textOrNull, whole } from '../fields.ts';
import { LearnedWord } from '../learning/schema.ts';
import { writtenCodeMax } from '../lobby/rules.ts';
import { LobbySettings, LobbyStatus } from '../lobby/schema.ts';
import { GameResult } from '../match/schema.ts';
import { PAGE_LANGUAGES } from '../names/languages.ts';
import { WordListWithTerms } from '../vocabulary/lists/schema.ts';

const id = z.guid().describe('The id of the record.');
const time = z.iso.datetime();
const createdAt = time.describe('The time of creation.');
const updatedAt = time.describe('The time of the last change.');
const expiresAt = time.describe('The time at which it expires.');
const userName = text('The name that others see.', 'Ada');
const emailVerified = z.boolean().describe('Whether the address is confirmed.');
const IS_GUEST = 'Whether the user is a guest, without email address and password.';
const lobbyId = z.guid().describe('The lobby’s id.');
const lobbyCode = text('The code of the lobby.', '7KQ2ZD');
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
    code: text(
      'The code of a lobby that can be joined now, or of an open assignment. The guest is then counted for it before the address, so that a school gets in, and stores no lists.',
      '7KQ2ZD',
    )
      .meta({ maxLength: writtenCodeMax(CODE_LENGTH) })
      .optional(),
  })
  .meta({
    id: 'GuestRequest',
    description: 'What everybody in a lobby calls the guest, and where the guest wants to play.',
    examples: [{ name: 'Ada' }],
  });

export const Guest = z
  .object({
    user: z
      .object({
        id: z.uuid().describe('The id of the user.'),
        name: userName,
        isGuest: z.literal(true).describe(IS_GUEST),
      })
      .describe('The user.'),
  })
  .meta({ id: 'Guest', description: 'Who plays by a name alone.' });
export type Guest = z.output<typeof Guest>;

export const InvitationParams = z.object({
  code: text(
    'The code of a lobby or of an assignment, or the id of a list. In a code, case, spaces and hyphens are ignored; O is read as 0, I and L as 1.',
    '7KQ2ZD',
  ).meta({ maxLength: ID_LENGTH }),
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

const language = z.enum(PAGE_LANGUAGES).describe('The language of the page, in which you get mails.');

export const AccountChange = z
  .strictObject({ language })
  .meta({ id: 'AccountChange', description: 'What changes of the account.', examples: [{ language: 'de' }] });

export const SessionParams = z.object({ sessionId: z.guid().describe('The id of the session.') });

export const Account = z
  .object({
    user: z
      .object({
        id: z.guid().describe('The id of the user.'),
        name: userName,
        email: textOrNull('The email address; null for a guest.', 'ada@example.com'),
        emailVerified,
        isGuest: z.boolean().describe(IS_GUEST),
        createdAt,
        language,
      })
      .describe('You.'),
    sessions: listOf('Where you are signed in: the current session, then the newest.', {
      sessionId: z.guid().describe('The id of the session.'),
      current: z.boolean().describe('Whether it is the session of this request.'),
      createdAt: createdAt.describe('The time of the sign-in.'),
      updatedAt: time.describe('The time of the last renewal.'),
      userAgent: textOrNull('The browser of the sign-in.', 'Mozilla/5.0'),
      address: textOrNull('The client address of the sign-in.', '203.0.113.7'),
    }),
    providers: z
      .array(text('A provider.', 'credential'))
      .describe('How you can sign in, apart from passkeys; `credential` is a password.'),
    passkeys: listOf('The passkeys with which you can sign in, the newest first.', {
      passkeyId: z.guid().describe('The id of the passkey.'),
      name: textOrNull('The name that you gave it.', 'Phone'),
      createdAt,
    }),
    secondFactor: z.boolean().describe('Whether a sign-in asks for a code.'),
  })
  .meta({ id: 'Account', description: 'Your account and where you are signed in, without secrets.' });
export type Account = z.output<typeof Account>;

/** The columns of a user's own row that are exported as they are. */
export const ExportedUser = z.object({
  name: userName,
  email: text('The email address.', 'ada@example.com'),
  emailVerified,
  image: z.string().nullable().describe('The address of your picture.'),
  language: textOrNull('The language of your mails; null: that of your browser.', 'en'),
  createdAt,
  updatedAt,
});

export const ExportedAccount = z.object({
  userId: z.guid().describe('The id of the user.'),
  ...ExportedUser.shape,
  isGuest: z.boolean().describe(IS_GUEST),
  twoFactorEnabled: z.boolean().describe('Whether a sign-in asks for a code.'),
  signInMethods: listOf('How you can sign in, apart from passkeys.', {
    id,
    providerId: text('The provider; `credential` is a password.', 'github'),
    accountId: text('Your id at the provider.', '12345'),
    scope: textOrNull('What you have allowed the service to read.', 'user:email'),
    createdAt,
    updatedAt,
  }),
  passkeys: listOf('The passkeys with which you can sign in.', {
    id,
    name: textOrNull('The name that you gave the passkey.', 'Phone'),
    deviceType: text('Whether several devices can share it.', 'multiDevice'),
    backedUp: z.boolean().describe('Whether its provider has a copy of it.'),
    transports: textOrNull('How browsers reach the device.', 'internal'),
    aaguid: z.string().nullable().describe('The model of the device.'),
    createdAt: createdAt.nullable().describe('The time of creation.'),
  }),
  trustedDevices: listOf('The devices on which a sign-in asks for no code.', { id, createdAt, expiresAt }),
  formerGuests: listOf('The guests whose data the account has got in the last week.', {
    guestId: z.guid().describe('The id that you had as a guest.'),
    createdAt: time.describe('When the account got the guest’s data.'),
  }),
  lobbies: listOf('The lobbies that you are a member of.', {
    lobbyId,
    code: lobbyCode,
    status: LobbyStatus,
    settings: LobbySettings,
    isHost: z.boolean().describe('Whether you are the host.'),
    isPresenter: z.boolean().describe('Whether you present the game as the host.'),
    name: z.string().nullable().describe('Your name in this lobby, where it has one of its own; otherwise null.'),
    gameId: z.guid().nullable().describe('The game; null while the lobby waits.'),
    createdAt,
  }),
  removedFrom: listOf('The lobbies from which a host has removed you.', { lobbyId, code: lobbyCode }),
  reviewCounts: listOf('How much you have answered and when, the earliest first.', {
    quarter: time.describe('The beginning of a quarter of an hour.'),
    reviews: whole('Your answers that were judged in it.', 12),
  }),
});

export const AccountExport = z
  .object({
    account: ExportedAccount.describe('You, and what belongs to your account.'),
    sessions: listOf('Where you are signed in.', {
      id,
      isCurrent: z.boolean().describe('Whether this session has asked for the export.'),
      ipAddress: textOrNull('The address of the sign-in.', '203.0.113.7'),
      userAgent: textOrNull('The browser of the sign-in.', 'Mozilla/5.0'),
      createdAt,
      updatedAt,
      expiresAt,
    }),
    lists: z.array(WordListWithTerms).describe('Your lists with their words.'),
    games: z.array(GameResult).describe('Your finished games with what you may read of them, newest first.'),
    learnedWords: z.array(LearnedWord).describe('The words that you have answered, of decks and of lists.'),
    assignments: z.array(Assignment).describe('The assignments that you own, the newest first.'),
    attempts: z.array(ExportedAttempt).describe('The attempts of assignments that you have begun, with your answers.'),
  })
  .meta({ id: 'AccountExport', description: 'All that is stored of a user, without secrets.' });
export type AccountExport = z.output<typeof AccountExport>;
