// The schema of the document that a user gets of all that is stored of them. [contract 22]
import { z } from 'zod';
import { Assignment, ExportedAttempt } from '../../assignments/schema.ts';
import { LearnedWord } from '../../learning/schema.ts';
import { LOBBY_EXAMPLE, LobbySettings, LobbyStatus } from '../../lobby/schema.ts';
import { GameResult } from '../../match/schema.ts';
import { WordListWithTerms } from '../../vocabulary/lists/schema.ts';

const id = z.guid().describe('The id of the record.');
const time = z.iso.datetime();
const createdAt = time.describe('The time of creation.');
const updatedAt = time.describe('The time of the last change.');
const expiresAt = time.describe('The time at which it expires.');

const SignInMethod = z.object({
  id,
  providerId: z.string().describe('The provider; `credential` is a password.'),
  accountId: z.string().describe('Your id at the provider.'),
  scope: z.string().nullable().describe('What you have allowed the service to read.'),
  createdAt,
  updatedAt,
});

const Passkey = z.object({
  id,
  name: z.string().nullable().describe('The name that you gave the passkey.'),
  deviceType: z.string().describe('Whether several devices can share it.'),
  backedUp: z.boolean().describe('Whether its provider has a copy of it.'),
  transports: z.string().nullable().describe('How browsers reach the device.'),
  aaguid: z.string().nullable().describe('The model of the device.'),
  createdAt: createdAt.nullable().describe('The time of creation.'),
});

const TrustedDevice = z.object({ id, createdAt, expiresAt });

const FormerGuest = z.object({
  guestId: z.guid().describe('The id that you had as a guest.'),
  createdAt: time.describe('When the account got the guest’s data.'),
});

const Membership = z.object({
  lobbyId: z.guid().describe('The lobby’s id.'),
  code: z.string().describe('The code of the lobby.'),
  status: LobbyStatus,
  settings: LobbySettings,
  isHost: z.boolean().describe('Whether you are the host.'),
  isPresenter: z.boolean().describe('Whether you present the game as the host.'),
  name: z.string().nullable().describe('Your name in this lobby, where it has one of its own; otherwise null.'),
  gameId: z.guid().nullable().describe('The game; null while the lobby waits.'),
  createdAt,
});

const Removal = z.object({
  lobbyId: z.guid().describe('The lobby’s id.'),
  code: z.string().describe('The code of the lobby.'),
});

const ReviewCount = z.object({
  quarter: time.describe('The beginning of a quarter of an hour.'),
  reviews: z.int().describe('Your answers that were judged in it.'),
});

const Account = z.object({
  userId: z.guid().describe('The id of the user.'),
  name: z.string().describe('The name that others see.'),
  email: z.string().describe('The email address.'),
  emailVerified: z.boolean().describe('Whether the address is confirmed.'),
  image: z.string().nullable().describe('The address of your picture.'),
  isGuest: z.boolean().describe('Whether the user is a guest, without email address and password.'),
  twoFactorEnabled: z.boolean().describe('Whether a sign-in asks for a code.'),
  language: z.string().nullable().describe('The language of your mails; null: that of your browser.'),
  createdAt,
  updatedAt,
  signInMethods: z.array(SignInMethod).describe('How you can sign in, apart from passkeys.'),
  passkeys: z.array(Passkey).describe('The passkeys with which you can sign in.'),
  trustedDevices: z.array(TrustedDevice).describe('The devices on which a sign-in asks for no code.'),
  formerGuests: z.array(FormerGuest).describe('The guests whose data the account has got in the last week.'),
  lobbies: z.array(Membership).describe('The lobbies that you are a member of.'),
  removedFrom: z.array(Removal).describe('The lobbies from which a host has removed you.'),
  reviewCounts: z.array(ReviewCount).describe('How much you have answered and when, the earliest first.'),
});

const Session = z.object({
  id,
  isCurrent: z.boolean().describe('Whether this session has asked for the export.'),
  ipAddress: z.string().nullable().describe('The address of the sign-in.'),
  userAgent: z.string().nullable().describe('The browser of the sign-in.'),
  createdAt,
  updatedAt,
  expiresAt,
});

const ID = '0c9f5b1e-7d2a-4b3f-9e68-5a4d3c2b1f00';
const TIME = '2026-11-21T09:30:00.000Z';
const DATES = { createdAt: TIME, updatedAt: TIME };
const examplesOf = <T>(schema: z.ZodType<T>) => (schema.meta()?.examples ?? []) as T[];

export const AccountExport = z
  .object({
    account: Account.describe('You, and what belongs to your account.'),
    sessions: z.array(Session).describe('Where you are signed in.'),
    lists: z.array(WordListWithTerms).describe('Your lists with their words.'),
    games: z.array(GameResult).describe('Your finished games with what you may read of them, newest first.'),
    learnedWords: z.array(LearnedWord).describe('The words that you have answered, of decks and of lists.'),
    assignments: z.array(Assignment).describe('The assignments that you own, the newest first.'),
    attempts: z.array(ExportedAttempt).describe('The attempts of assignments that you have begun, with your answers.'),
  })
  .meta({
    id: 'AccountExport',
    description: 'All that is stored of a user, without secrets.',
    examples: [
      {
        account: {
          userId: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
          name: 'Ada',
          email: 'ada@example.com',
          emailVerified: true,
          image: null,
          isGuest: false,
          twoFactorEnabled: false,
          language: 'en',
          ...DATES,
          signInMethods: [{ id: ID, providerId: 'github', accountId: '12345', scope: 'user:email', ...DATES }],
          passkeys: [],
          trustedDevices: [],
          formerGuests: [],
          removedFrom: [],
          lobbies: [
            {
              lobbyId: LOBBY_EXAMPLE.lobbyId,
              code: '7KQ2ZD',
              status: 'waiting' as const,
              settings: LOBBY_EXAMPLE.settings,
              isHost: true,
              isPresenter: false,
              name: null,
              gameId: null,
              createdAt: TIME,
            },
          ],
          reviewCounts: [{ quarter: TIME, reviews: 12 }],
        },
        sessions: [
          {
            id: ID,
            isCurrent: true,
            ipAddress: '203.0.113.7',
            userAgent: 'Mozilla/5.0',
            ...DATES,
            expiresAt: '2026-11-28T09:30:00.000Z',
          },
        ],
        lists: examplesOf(WordListWithTerms),
        games: examplesOf(GameResult),
        learnedWords: [
          {
            sourceLanguage: 'en',
            targetLanguage: 'it',
            pos: 'noun',
            difficulty: 'A1',
            prompt: 'house',
            gloss: 'a building to live in',
            memory: {
              due: '2026-11-24T09:30:00.000Z',
              stability: 3.2,
              difficulty: 5.1,
              state: 'review',
              step: 0,
              scheduledDays: 3,
              reps: 2,
              lapses: 0,
              reviewedAt: TIME,
              suspended: false,
            },
          },
        ],
        assignments: examplesOf(Assignment),
        attempts: [],
      },
    ],
  });
export type AccountExport = z.output<typeof AccountExport>;
