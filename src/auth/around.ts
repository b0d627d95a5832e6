// How our own rules stand around better-auth's operations: as hooks of plugins, by path.
import type { GenericEndpointContext } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';

/** A request on its way in, or out: then with what the operation answered or threw. */
export type Asked = GenericEndpointContext & { context: { returned?: unknown } };

/** The header in which routes.ts tells better-auth the client's address; a client's own is overwritten. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

type Act = (asked: Asked) => Promise<void>;

/** @param paths the operations, as better-auth names them; all of them when left out */
export function hook(act: Act, ...paths: string[]) {
  return {
    matcher: ({ path }: { path?: string }) =>
      paths.length === 0 || (path !== undefined && paths.includes(path)),
    handler: createAuthMiddleware(act),
  };
}

/** @returns whether a sign-in's password was right and its second factor is still to come */
export function isHalfWay(returned: unknown): boolean {
  return Object(returned).twoFactorRedirect === true;
}
