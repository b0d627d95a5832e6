// The account as the account page shows it. [contract 25]
import { z } from 'zod';
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
        name: z.string().describe('The name that others see.'),
        email: z.string().nullable().describe('The email address; null for a guest.'),
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
          userAgent: z.string().nullable().describe('The browser of the sign-in.'),
          address: z.string().nullable().describe('The client address of the sign-in.'),
        }),
      )
      .describe('Where you are signed in: the current session, then the newest.'),
    providers: z.array(z.string()).describe('How you can sign in, apart from passkeys; `credential` is a password.'),
    passkeys: z
      .array(
        z.object({
          passkeyId: z.guid().describe('The id of the passkey.'),
          name: z.string().nullable().describe('The name that you gave it.'),
          createdAt,
        }),
      )
      .describe('The passkeys with which you can sign in, the newest first.'),
    secondFactor: z.boolean().describe('Whether a sign-in asks for a code.'),
  })
  .meta({
    id: 'Account',
    description: 'Your account and where you are signed in, without secrets.',
    examples: [
      {
        user: {
          id: '3d5a9f52-1c0e-4a53-9a77-0a4e6b1f7c21',
          name: 'Ada',
          email: 'ada@example.com',
          emailVerified: true,
          isGuest: false,
          createdAt: '2026-11-21T09:30:00.000Z',
          language: 'en',
        },
        sessions: [
          {
            sessionId: '0c9f5b1e-7d2a-4b3f-9e68-5a4d3c2b1f00',
            current: true,
            createdAt: '2026-11-21T09:30:00.000Z',
            updatedAt: '2026-11-21T09:30:00.000Z',
            userAgent: 'Mozilla/5.0',
            address: '203.0.113.7',
          },
        ],
        providers: ['credential'],
        passkeys: [],
        secondFactor: false,
      },
    ],
  });
export type Account = z.output<typeof Account>;
