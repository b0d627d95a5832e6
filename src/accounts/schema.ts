// The account as the account page shows it. [contract 25]
import { z } from 'zod';
import { text, textOrNull } from '../fields.ts';
import { PAGE_LANGUAGES } from '../names/languages.ts';

const language = z.enum(PAGE_LANGUAGES).describe('The language of the page, in which you get mails.');
const createdAt = z.iso.datetime().describe('The time of creation.');

export const AccountChange = z
  .strictObject({ language })
  .meta({ id: 'AccountChange', description: 'What changes of the account.', examples: [{ language: 'de' }] });

export const SessionParams = z.object({ sessionId: z.guid().describe('The id of the session.') });

export const Account = z
  .object({
    user: z
      .object({
        id: z.guid().describe('The id of the user.'),
        name: text('The name that others see.', 'Ada'),
        email: textOrNull('The email address; null for a guest.', 'ada@example.com'),
        emailVerified: z.boolean().describe('Whether the address is confirmed.'),
        isGuest: z.boolean().describe('Whether the user is a guest, without email address and password.'),
        createdAt,
        language,
      })
      .describe('You.'),
    sessions: z
      .array(
        z.object({
          sessionId: z.guid().describe('The id of the session.'),
          current: z.boolean().describe('Whether it is the session of this request.'),
          createdAt: createdAt.describe('The time of the sign-in.'),
          updatedAt: z.iso.datetime().describe('The time of the last renewal.'),
          userAgent: textOrNull('The browser of the sign-in.', 'Mozilla/5.0'),
          address: textOrNull('The client address of the sign-in.', '203.0.113.7'),
        }),
      )
      .describe('Where you are signed in: the current session, then the newest.'),
    providers: z
      .array(text('A provider.', 'credential'))
      .describe('How you can sign in, apart from passkeys; `credential` is a password.'),
    passkeys: z
      .array(
        z.object({
          passkeyId: z.guid().describe('The id of the passkey.'),
          name: textOrNull('The name that you gave it.', 'Phone'),
          createdAt,
        }),
      )
      .describe('The passkeys with which you can sign in, the newest first.'),
    secondFactor: z.boolean().describe('Whether a sign-in asks for a code.'),
  })
  .meta({ id: 'Account', description: 'Your account and where you are signed in, without secrets.' });
export type Account = z.output<typeof Account>;
