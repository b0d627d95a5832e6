// Stores the page to which an email's link redirects in the end. It is not part of the link, since a stranger may
// have requested the email, and an email must not contain text that a stranger chose. [contract 17]
import type { GenericEndpointContext } from 'better-auth';
import type { Database } from '../../platform/postgres/postgres.ts';
import { hashOfToken } from './link.ts';

type Adapter = GenericEndpointContext['context']['internalAdapter'];

const identifierOf = (token: string) => `leads-to:${hashOfToken(token)}`;

/** @param leadsTo an address that has passed better-auth's origin check; without one nothing is stored */
export async function keepWhereItLeads(
  db: Database,
  token: string,
  leadsTo: string | undefined,
  expiresAt: Date,
): Promise<void> {
  if (!leadsTo) return;
  const identifier = identifierOf(token);
  await db.verification.create({ data: { identifier, value: leadsTo, expiresAt } });
}

/** @returns the page, or undefined if the request for the email named none */
export async function whereItLeads(adapter: Adapter, token: string): Promise<string | undefined> {
  return (await adapter.findVerificationValue(identifierOf(token)))?.value;
}

/** @param address a full address, or a path of the service's page */
export function withQuery(address: string, parameters: Record<string, string>): string {
  const [bare = '', fragment] = address.split('#');
  const query = new URLSearchParams(parameters);
  return `${bare}${bare.includes('?') ? '&' : '?'}${query}${fragment === undefined ? '' : `#${fragment}`}`;
}
