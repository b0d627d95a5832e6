// The paths of passkeys, for the published API description. Options and responses are WebAuthn's own
// (https://www.w3.org/TR/webauthn-3/), as browsers take and give them in JSON.
import { get, object, ok, post, query, string } from './auth-path-parts.ts';

const options = { type: 'object', description: 'For `parseCreationOptionsFromJSON` and the like.' };
const response = { type: 'object', description: 'What `PublicKeyCredential.toJSON()` gives.' };
const name = { ...string, description: 'As the name of an account.' };
const PASSKEY = '#/components/schemas/Passkey';

/** The schema that only these paths use. */
export const PASSKEY_SCHEMAS = {
  Passkey: object({
    id: { type: 'string', format: 'uuid' },
    name: { type: ['string', 'null'] },
    deviceType: { enum: ['singleDevice', 'multiDevice'] },
    backedUp: { type: 'boolean' },
    createdAt: { type: 'string', format: 'date-time' },
    aaguid: { type: ['string', 'null'], description: 'The model of the authenticator.' },
  }),
};

const passkey = { $ref: PASSKEY };

/** OpenAPI path items. */
export const PASSKEY_PATHS = {
  '/api/auth/passkey/generate-register-options': get(
    'Begin to add a passkey',
    [query('name')],
    ok(options),
    [401],
  ),
  '/api/auth/passkey/verify-registration': post(
    'Add a passkey',
    'Within 15 minutes of a sign-in (`SESSION_EXPIRED` otherwise), and only one that makes sure who uses it (`USER_NOT_VERIFIED`); 20 at most (`TOO_MANY_PASSKEYS`).',
    object({ response, name }, ['response']),
    ok(passkey),
    [401, 409],
  ),
  '/api/auth/passkey/generate-authenticate-options': get(
    'Begin to sign in with a passkey',
    [],
    ok(options),
  ),
  '/api/auth/passkey/verify-authentication': post(
    'Sign in with a passkey',
    'Sets the session cookie. No second factor is asked for: the device has asked for it.',
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
    'The passkeys of the account',
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
