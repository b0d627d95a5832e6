// The texts of the account screen in English.

export const enAccount = {
  title: 'Your account',
  profile: 'Your name',
  saveName: 'Save the name',
  saved: 'Saved.',

  devices: 'Your devices',
  devicesMore: 'This is where you are signed in. Sign out any device you don’t recognise.',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: 'Unknown device',
  thisDevice: 'This device',
  signedInAt: (when: string) => `Signed in on ${when}`,
  signOutOthers: 'Sign out all other devices',
  signOutAll: 'Sign out everywhere',
  signOutAllAsk: 'Sign out everywhere?',
  signOutAllMore: 'This signs you out on all devices, including this one.',

  currentPassword: 'Current password',
  changePassword: 'Change password',
  passwordChanged: 'Your new password is saved. All other devices have been signed out.',
  passwordToConfirm: 'Your password, to confirm',

  secondFactor: 'Two-step sign-in',
  secondFactorMore:
    'When you sign in with your password, you also enter a code from an authenticator app. A stolen password alone is then of no use to anybody.',
  secondFactorOn: 'Two-step sign-in is on.',
  setUp: 'Set up two-step sign-in',
  scan: 'Scan this code with your authenticator app, then enter the six digits it shows.',
  setUpQrCode: 'QR code for your authenticator app',
  openApp: 'Open the app on this device',
  orType: 'or type in this key:',
  turnOn: 'Turn on',
  turnOff: 'Turn off two-step sign-in',
  newBackupCodes: 'Get new backup codes',
  backupCodesMore:
    'Keep these codes in a safe place. If you lose your phone, each of them lets you sign in once. They won’t be shown again.',
  copyCodes: 'Copy the codes',
  codesKept: 'I’ve saved them',

  passkeys: 'Your passkeys',
  passkeysMore:
    'Sign in with your fingerprint, your face or the PIN of a device instead of your password. A passkey can’t be guessed, and works on this site alone.',
  unnamedPasskey: 'Unnamed passkey',
  addPasskey: 'Add a passkey',
  addedAt: (when: string) => `Added on ${when}`,
  rename: 'Rename',
  passkeyName: 'Name of the passkey',
  remove: 'Remove',
  removePasskeyAsk: (name: string) => `Remove “${name}”?`,
  removePasskeyMore: 'You can’t sign in with it any more.',
  signInAgain: 'Sign in again',

  linkTitle: 'Another way to sign in',
  linkMore: (name: string) =>
    `Connect ${name} to sign in there from now on. Your account there needs the same email address.`,
  link: (name: string) => `Connect ${name}`,
  linked: (name: string) => `You can sign in with ${name}.`,

  data: 'Your data',
  dataMore:
    'Everything that is stored about you, in one file: your account, your lists, your games, and the words you have learned.',
  downloadData: 'Download your data',
  fileName: 'my-quiz-account.json',

  delete: 'Delete account',
  deleteMore:
    'Your account and your lists are removed for good. Your scores stay in the results of past games, without your name.',
  deleteAsk: 'Delete your account?',
  deleteForGood: 'This can’t be undone.',
};
