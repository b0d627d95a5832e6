// The texts for hosts in Italian.
import type { Texts } from '../en/index.ts';

export const itHosting: Texts['hosting'] = {
  manage: 'Gestisci la partita',
  settings: 'Impostazioni',
  close: 'Chiudi',
  now: 'Adesso organizzi tu.',
  skip: 'Chiudi il turno',
  end: 'Termina la partita',
  endAsk: 'Terminare la partita per tutti?',
  endMore: 'I punti fatti fin qui sono il risultato.',
  lock: 'Blocca la sala',
  unlock: 'Sblocca la sala',
  locked: 'Bloccata: non entra più nessuno',
  remove: (name) => `Escludi ${name}`,
  removeAsk: (name) => `Escludere ${name} dalla partita?`,
  removeMore:
    'Con un altro account, o come nuovo ospite, può rientrare con il codice. Bloccare anche la sala?',
  removeAndLock: 'Escludi e blocca la sala',
  removeLocked: 'La sala è bloccata: non entra più nessuno.',
  remote: 'Telecomando',
  onProjector: 'Adesso sul proiettore',
  notHost: 'Solo chi organizza la partita può usare il telecomando.',
  remoteOnPhone: 'Telecomando sul telefono',
  remoteMore:
    'Inquadra il codice con il telefono e accedi lì con lo stesso account. Così vai avanti, blocchi ed escludi dal telefono, e la classe vede solo la partita.',
  remoteNeedsAccount:
    'Con un account il telefono diventa un telecomando, e la classe vede solo la partita.',
  seconds: (seconds) => `${seconds} s`,
  roundTime: 'Tempo per rispondere',
  pause: 'Tempo per il risultato',
  noPause: 'Nessuno',
  whenISay: 'Finché non vado avanti',
  role: 'Tu che organizzi',
  plays: 'Gioco anch’io',
  presents: 'Presento soltanto',
  lateJoin: 'Entrare a partita iniziata',
  late: 'Permesso',
  notLate: 'Non permesso',
  names: 'Nomi',
  nameRules: { any: 'I loro', unique: 'Ogni nome una volta', given: 'Nomi simpatici' },
};
