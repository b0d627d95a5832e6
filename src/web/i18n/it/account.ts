// The texts of the account screen in Italian.
import type { Texts } from '../en/index.ts';

export const itAccount: Texts['account'] = {
  title: 'Il tuo account',
  profile: 'Il tuo nome',
  saveName: 'Salva il nome',
  saved: 'Salvato.',

  devices: 'I tuoi dispositivi',
  devicesMore: 'Qui hai effettuato l’accesso. Disconnetti i dispositivi che non riconosci.',
  browserOn: (browser, system) => `${browser} su ${system}`,
  unknownDevice: 'Dispositivo sconosciuto',
  thisDevice: 'Questo dispositivo',
  signedInAt: (when) => `Accesso del ${when}`,
  signOutOthers: 'Disconnetti tutti gli altri',
  signOutAll: 'Esci da tutti i dispositivi',
  signOutAllAsk: 'Uscire da tutti i dispositivi?',
  signOutAllMore: 'Verrai disconnesso da tutti i dispositivi, compreso questo.',

  currentPassword: 'Password attuale',
  changePassword: 'Cambia password',
  passwordChanged: 'La nuova password è salvata. Tutti gli altri dispositivi sono stati disconnessi.',
  passwordToConfirm: 'La tua password, per conferma',

  secondFactor: 'Accesso in due passaggi',
  secondFactorMore:
    'Quando accedi con la password, inserisci anche un codice di un’app di autenticazione. Così una password rubata, da sola, non serve a nessuno.',
  secondFactorOn: 'L’accesso in due passaggi è attivo.',
  setUp: 'Configura l’accesso in due passaggi',
  scan: 'Inquadra il codice con la tua app di autenticazione, poi inserisci le sei cifre che mostra.',
  setUpQrCode: 'Codice QR per la tua app di autenticazione',
  openApp: 'Apri l’app su questo dispositivo',
  orType: 'oppure inserisci questa chiave:',
  turnOn: 'Attiva',
  turnOff: 'Disattiva l’accesso in due passaggi',
  newBackupCodes: 'Ottieni nuovi codici di riserva',
  backupCodesMore:
    'Conserva questi codici in un posto sicuro. Se perdi il telefono, ognuno ti permette di accedere una volta. Non verranno mostrati di nuovo.',
  copyCodes: 'Copia i codici',
  codesKept: 'Li ho salvati',

  passkeys: 'Le tue passkey',
  passkeysMore:
    'Accedi con l’impronta, il volto o il PIN di un dispositivo invece che con la password. Una passkey non si può indovinare e vale solo su questo sito.',
  unnamedPasskey: 'Passkey senza nome',
  addPasskey: 'Aggiungi una passkey',
  addedAt: (when) => `Aggiunta il ${when}`,
  rename: 'Rinomina',
  passkeyName: 'Nome della passkey',
  remove: 'Rimuovi',
  removePasskeyAsk: (name) => `Rimuovere «${name}»?`,
  removePasskeyMore: 'Non potrai più accedere con questa passkey.',
  signInAgain: 'Accedi di nuovo',

  linkTitle: 'Un altro accesso',
  linkMore: (name) =>
    `Collega ${name} per accedere così d’ora in poi. Il tuo account lì deve avere lo stesso indirizzo email.`,
  link: (name) => `Collega ${name}`,
  linked: (name) => `Puoi accedere con ${name}.`,

  data: 'I tuoi dati',
  dataMore:
    'Tutto ciò che è salvato su di te, in un solo file: il tuo account, le tue liste, le tue partite e le parole che hai imparato.',
  downloadData: 'Scarica i tuoi dati',
  fileName: 'il-mio-account-quiz.json',

  delete: 'Elimina l’account',
  deleteMore:
    'Il tuo account e le tue liste vengono eliminati per sempre. I tuoi punti restano nei risultati delle partite giocate, senza il tuo nome.',
  deleteAsk: 'Eliminare il tuo account?',
  deleteForGood: 'Non si può annullare.',
};
