// Describes the paths of passkeys for the published API description. Options and responses have the JSON
// formats of WebAuthn (https://www.w3.org/TR/webauthn-3/), which browsers read and write.
import { get, object, ok, post, query, string } from './auth-path-parts.ts';

const options = {
  type: 'object',
  description: 'The input of `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
};
const response = { type: 'object', description: 'The result of `PublicKeyCredential.toJSON()`.' };
const name = { ...string, description: 'A name under the rules for names of accounts.' };
const PASSKEY = '#/components/schemas/Passkey';

/** The schema that only these paths use. */
export const PASSKEY_SCHEMAS = {
  Passkey: object({
    id: { type: 'string', format: 'uuid' },
    name: { type: ['string', 'null'] },
    deviceType: { enum: ['singleDevice', 'multiDevice'] },
    backedUp: { type: 'boolean' },
    createdAt: { type: 'string', format: 'date-time' },
    aaguid: { type: ['string', 'null'], description: 'The id of the authenticator’s model.' },
  }),
};

const passkey = { $ref: PASSKEY };

/** OpenAPI path items. */
export const PASSKEY_PATHS = {
  '/api/auth/passkey/generate-register-options': get('Begin to add a passkey', [query('name')], ok(options), [401]),
  '/api/auth/passkey/verify-registration': post(
    'Add a passkey',
    'It needs a sign-in within the last 15 minutes (`SESSION_EXPIRED`) and an authenticator that verifies its user (`USER_NOT_VERIFIED`). An account has at most 20 passkeys (`TOO_MANY_PASSKEYS`).',
    object({ response, name }, ['response']),
    ok(passkey),
    [401, 409],
  ),
  '/api/auth/passkey/generate-authenticate-options': get('Begin to sign in with a passkey', [], ok(options)),
  '/api/auth/passkey/verify-authentication': post(
    'Sign in with a passkey',
    'Sets the session cookie. No second factor is needed, since the device has verified its user.',
    object({ response }, ['response']),
    ok(
      object({
        session: { $ref: '#/components/schemas/AuthSession' },
        user: { $ref: '#/components/schemas/AuthUser' },
      }),
    ),
    [401],
  ),
  '/api/auth/passkey/list-user-passkeys': get(
    'List the passkeys of the account',
    [],
    ok({ type: 'array', items: passkey }),
    [401],
  ),
  '/api/auth/passkey/update-passkey': post(
    'Rename a passkey',
    undefined,
    object({ id: string, name }, ['id', 'name']),
    ok(object({ passkey })),
    [401, 404],
  ),
  '/api/auth/passkey/delete-passkey': post(
    'Remove a passkey',
    undefined,
    object({ id: string }, ['id']),
    ok(object({ status: { type: 'boolean' } })),
    [401, 404],
  ),
};
