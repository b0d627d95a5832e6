// Parts of hooks before and after better-auth's operations, which are selected by path.
import type { GenericEndpointContext } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';

export type HookContext = GenericEndpointContext & { context: { returned?: unknown } };

/** The header in which routes.ts passes the client's address to better-auth. It overwrites a client's own. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/**
 * @param act after an operation it may return a reply that replaces the operation's own
 * @param paths the operations, by better-auth's paths; the default is all of them
 */
export function hook(act: (hookContext: HookContext) => Promise<unknown>, ...paths: string[]) {
  return {
    matcher: ({ path }: { path?: string }) => paths.length === 0 || (path !== undefined && paths.includes(path)),
    handler: createAuthMiddleware(act),
  };
}

/** @returns whether a sign-in's password was right and its second factor is awaited */
export const isHalfWay = (returned: unknown): boolean => Object(returned).twoFactorRedirect === true;

/** @returns the session of the request, which is not renewed; null without one */
export const sessionOf = (hookContext: HookContext) => getSessionFromCtx(hookContext, { disableRefresh: true });

export const refusal = (status: ConstructorParameters<typeof APIError>[0], code: string, message: string) =>
  new APIError(status, { code, message });
