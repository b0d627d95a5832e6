// The texts of the account screen in German.
import type { Texts } from '../en/index.ts';

export const deAccount: Texts['account'] = {
  title: 'Dein Konto',
  profile: 'Name',
  saveName: 'Namen speichern',
  saved: 'Gespeichert.',

  devices: 'Deine Geräte',
  devicesMore: 'Hier bist du angemeldet. Melde Geräte ab, die du nicht kennst.',
  browserOn: (browser, system) => `${browser} auf ${system}`,
  unknownDevice: 'Unbekanntes Gerät',
  thisDevice: 'Dieses Gerät',
  signedInAt: (when) => `Angemeldet am ${when}`,
  signOutOthers: 'Alle anderen Geräte abmelden',
  signOutAll: 'Überall abmelden',
  signOutAllAsk: 'Überall abmelden?',
  signOutAllMore: 'Du wirst auf allen Geräten abgemeldet, auch auf diesem.',

  currentPassword: 'Aktuelles Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Dein neues Passwort ist gespeichert. Alle anderen Geräte sind abgemeldet.',
  passwordToConfirm: 'Dein Passwort zur Bestätigung',

  secondFactor: 'Anmeldung in zwei Schritten',
  secondFactorMore:
    'Wenn du dich mit deinem Passwort anmeldest, gibst du auch einen Code aus einer Authenticator-App ein. Ein gestohlenes Passwort allein nützt dann niemandem.',
  secondFactorOn: 'Die Anmeldung in zwei Schritten ist eingeschaltet.',
  setUp: 'Zwei Schritte einrichten',
  scan: 'Scanne diesen Code mit deiner Authenticator-App und gib die sechs Ziffern ein, die sie anzeigt.',
  setUpQrCode: 'QR-Code für deine Authenticator-App',
  openApp: 'App auf diesem Gerät öffnen',
  orType: 'oder diesen Schlüssel eingeben:',
  turnOn: 'Einschalten',
  turnOff: 'Zwei Schritte ausschalten',
  newBackupCodes: 'Neue Ersatzcodes holen',
  backupCodesMore:
    'Bewahre diese Codes sicher auf. Wenn du dein Handy verlierst, kannst du dich mit jedem einmal anmelden. Sie werden nicht noch einmal angezeigt.',
  copyCodes: 'Codes kopieren',
  codesKept: 'Ich habe sie gespeichert',

  passkeys: 'Deine Passkeys',
  passkeysMore:
    'Melde dich mit Fingerabdruck, Gesicht oder der PIN eines Geräts an statt mit deinem Passwort. Einen Passkey kann niemand erraten, und er gilt nur auf dieser Seite.',
  unnamedPasskey: 'Passkey ohne Namen',
  addPasskey: 'Passkey hinzufügen',
  addedAt: (when) => `Hinzugefügt am ${when}`,
  rename: 'Umbenennen',
  passkeyName: 'Name des Passkeys',
  remove: 'Entfernen',
  removePasskeyAsk: (name) => `„${name}“ entfernen?`,
  removePasskeyMore: 'Du kannst dich damit nicht mehr anmelden.',
  signInAgain: 'Noch einmal anmelden',

  linkTitle: 'Weitere Anmeldung',
  linkMore: (name) =>
    `Verbinde ${name}, um dich künftig dort anzumelden. Dein Konto dort braucht dieselbe E-Mail-Adresse.`,
  link: (name) => `${name} verbinden`,
  linked: (name) => `Du kannst dich mit ${name} anmelden.`,

  data: 'Deine Daten',
  dataMore:
    'Alles, was über dich gespeichert ist, in einer Datei: dein Konto, deine Listen, deine Spiele und die Wörter, die du gelernt hast.',
  downloadData: 'Deine Daten herunterladen',
  fileName: 'mein-quiz-konto.json',

  delete: 'Konto löschen',
  deleteMore:
    'Dein Konto und deine Listen werden endgültig gelöscht. Deine Punkte bleiben in den Ergebnissen früherer Spiele, ohne deinen Namen.',
  deleteAsk: 'Dein Konto löschen?',
  deleteForGood: 'Das lässt sich nicht rückgängig machen.',
};
