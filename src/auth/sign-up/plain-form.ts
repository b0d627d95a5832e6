// A plain HTML form that replaces the page if the page is off. Replies to it are HTML too, with the status that a
// program would get. [contract 17]
import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint, createAuthMiddleware, isAPIError } from 'better-auth/api';
import { z } from 'zod';
import { escapeHtml } from '../mail/emails.ts';
import { CHOOSE_PATH, CONFIRM_PATH, FORM_PATH, MAX_TOKEN_LENGTH, readLink } from './links.ts';

const TITLE = 'Confirm your email address';

/** @returns a plugin; its hook has to run after those that read the operation's own response */
export function plainForm() {
  return {
    id: 'plain-form',
    endpoints: { verifyEmailForm: formEndpoint() },
    hooks: {
      after: [
        {
          matcher: ({ path, headers }) =>
            (path === CONFIRM_PATH || path === CHOOSE_PATH) &&
            /^application\/x-www-form-urlencoded\b/i.test(headers?.get('content-type') ?? ''),
          handler: createAuthMiddleware(async ({ body, context }) => {
            const { returned } = context as { returned?: unknown };
            if (!isAPIError(returned)) return confirmed(returned);
            const { statusCode, message } = returned;
            return html(`<p role="alert">${escapeHtml(message)}.</p>${forms(body.token)}`, statusCode);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

function formEndpoint() {
  const query = z.object({ token: z.string().max(MAX_TOKEN_LENGTH) });
  return createAuthEndpoint(FORM_PATH, { method: 'GET', query }, async (context) => {
    const { token } = context.query;
    if (!(await readLink(token, context.context.secret)))
      return html('<p role="alert">This link is too old. Ask for a new one.</p>', 401);
    return html(`
<p>This is not the browser in which you signed up. So that nobody else’s account gets your address, give the password that you chose at the sign-up, or choose a new one. Did you not sign up? Then do nothing.</p>
${forms(token)}`);
  });
}

function forms(token: string): string {
  return `
<form method="post" action="confirm">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p><label>Password of your sign-up <input type="password" name="password" autocomplete="current-password" required maxlength="128"></label></p>
<p><button>Confirm the address</button></p>
</form>
<form method="post" action="choose">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p><label>Name that others see <input name="name" autocomplete="nickname" required></label></p>
<p><label>New password, at least 8 characters <input type="password" name="newPassword" autocomplete="new-password" required minlength="8" maxlength="128"></label></p>
<p><button>Confirm the address with a new password</button></p>
</form>`;
}

/** @param answer the JSON response, which names the page to go to next */
function confirmed(answer: unknown): Response {
  const { url } = answer as { url?: string };
  const next = url && `<p><a href="${escapeHtml(url)}">Go on</a></p>`;
  return html(`<p role="status">Your address is confirmed. You can sign in now.</p>${next ?? ''}`);
}

function html(content: string, status = 200): Response {
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<main>
<h1>${TITLE}</h1>
${content}
</main>
</html>
`;
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
