// The schema of the document that a user gets of all that is stored of them. [contract 22]
import { z } from 'zod';
import { Assignment, ExportedAttempt } from '../../assignments/schema.ts';
import { text, textOrNull, whole } from '../../fields.ts';
import { LearnedWord } from '../../learning/schema.ts';
import { LobbySettings, LobbyStatus } from '../../lobby/schema.ts';
import { GameResult } from '../../match/schema.ts';
import { WordListWithTerms } from '../../vocabulary/lists/schema.ts';

const id = z.guid().describe('The id of the record.');
const time = z.iso.datetime();
const createdAt = time.describe('The time of creation.');
const updatedAt = time.describe('The time of the last change.');
const expiresAt = time.describe('The time at which it expires.');

const SignInMethod = z.object({
  id,
  providerId: text('The provider; `credential` is a password.', 'github'),
  accountId: text('Your id at the provider.', '12345'),
  scope: textOrNull('What you have allowed the service to read.', 'user:email'),
  createdAt,
  updatedAt,
});

const Passkey = z.object({
  id,
  name: textOrNull('The name that you gave the passkey.', 'Phone'),
  deviceType: text('Whether several devices can share it.', 'multiDevice'),
  backedUp: z.boolean().describe('Whether its provider has a copy of it.'),
  transports: textOrNull('How browsers reach the device.', 'internal'),
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
  code: text('The code of the lobby.', '7KQ2ZD'),
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
  code: text('The code of the lobby.', '7KQ2ZD'),
});

const ReviewCount = z.object({
  quarter: time.describe('The beginning of a quarter of an hour.'),
  reviews: whole('Your answers that were judged in it.', 12),
});

const Account = z.object({
  userId: z.guid().describe('The id of the user.'),
  name: text('The name that others see.', 'Ada'),
  email: text('The email address.', 'ada@example.com'),
  emailVerified: z.boolean().describe('Whether the address is confirmed.'),
  image: z.string().nullable().describe('The address of your picture.'),
  isGuest: z.boolean().describe('Whether the user is a guest, without email address and password.'),
  twoFactorEnabled: z.boolean().describe('Whether a sign-in asks for a code.'),
  language: textOrNull('The language of your mails; null: that of your browser.', 'en'),
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
  ipAddress: textOrNull('The address of the sign-in.', '203.0.113.7'),
  userAgent: textOrNull('The browser of the sign-in.', 'Mozilla/5.0'),
  createdAt,
  updatedAt,
  expiresAt,
});

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
  .meta({ id: 'AccountExport', description: 'All that is stored of a user, without secrets.' });
export type AccountExport = z.output<typeof AccountExport>;
