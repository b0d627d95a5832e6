// The refusal of a confirmation link. [contract 17]
import { APIError } from 'better-auth/api';

/** @returns the refusal of a link that is forged, expired or used */
export function invalidLink(): APIError {
  return new APIError('UNAUTHORIZED', { code: 'INVALID_TOKEN', message: 'Invalid token' });
}
