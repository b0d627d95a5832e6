// The names that better-auth gives to its records and keys. They are no documented interface, so that all of them are
// listed here with the place that defines them in better-auth 1.7. An update that changes one fails the tests of trusted
// devices, password resets and sign-outs.

/** A session's key in the secondary storage is its bare token (dist/db/internal-adapter). */
export const isSessionToken = (key: string) => /^[A-Za-z0-9]{32}$/.test(key);
/** The key of a user's list of sessions in the secondary storage is this and the user's id (same file). */
export const SESSION_LIST_PREFIX = 'active-sessions-';
/** The key of a verification's copy in the secondary storage (same file). */
export const verificationKey = (identifier: string) => `verification:${identifier}`;
/** The identifier of a verification that allows a new password is this and its token (dist/api/routes/password). */
export const RESET_PREFIX = 'reset-password:';
/** Identifiers of verifications that are trusted devices begin with this (dist/plugins/two-factor). */
export const TRUSTED_DEVICE_PREFIX = 'trust-device-';
/** Identifiers of verifications that are sign-ins which await a code begin with this (same folder). */
export const PENDING_SIGN_IN_PREFIX = '2fa-';
