// The operations of guests, of invitations, and of one's own account. [contract 11, 22, 25]
import { z } from 'zod';
import { describeOperations } from '../http/operation.ts';
import * as schemas from './schema.ts';

const guests = describeOperations(
  { tag: 'Guests', access: 'anyone', refusals: ['LOBBY_NOT_FOUND'] },
  {
    createGuest: {
      at: 'POST /api/v1/guests',
      summary: 'Play as a guest',
      description:
        'Makes a user of this name and signs them in. At the first sign-in with an account, what the guest has played becomes the account’s.',
      limit: 'guest',
      isCountedByHandler: true,
      body: schemas.GuestRequest,
      replies: { 201: schemas.Guest },
    },

    getInvitation: {
      at: 'GET /api/v1/invitations/:code',
      summary: 'Ask whether a code can be entered',
      description:
        'Says what a link leads to, before its visitor chooses a name, and why nobody new can enter now. It tells nothing else of a lobby and a list. After too many wrong codes of a client address, every further one gets 429 for a while, right or wrong.',
      load: 'new-sql',
      params: schemas.InvitationParams,
      replies: { 200: schemas.Invitation },
    },
  },
);

const account = describeOperations(
  { tag: 'Accounts', access: 'user', limit: 'game', load: 'new' },
  {
    getAccount: {
      at: 'GET /api/v1/account',
      summary: 'Read your account',
      description: 'You, the ways in which you can sign in, and where you are signed in. Guests get it too.',
      replies: { 200: schemas.Account },
    },

    updateAccount: {
      at: 'PATCH /api/v1/account',
      summary: 'Change the language of your mails',
      body: schemas.AccountChange,
      replies: { 200: schemas.Account },
    },

    deleteSession: {
      at: 'DELETE /api/v1/account/sessions/:sessionId',
      summary: 'Sign out a device',
      description:
        'Ends one of your sessions, also the current one, on every replica at once; its sockets close within a minute. It is also 204 if you have no such session.',
      params: schemas.SessionParams,
      replies: { 204: z.null() },
    },

    exportAccount: {
      at: 'GET /api/v1/account/export',
      summary: 'Download all that is stored of you',
      description:
        'One JSON document: your account, sessions, lists, games and learned words, without secrets such as passwords and tokens, and without questions that you can still answer. The connection is cut if the service can’t complete it, so that a document which ends is whole.',
      limit: 'export',
      load: 'new-sql',
      replies: { 200: schemas.AccountExport },
    },
  },
);

export const operations = { ...guests, ...account };
