// The texts for hosts in German.
import type { Texts } from '../en/index.ts';

export const deHosting: Texts['hosting'] = {
  manage: 'Spiel verwalten',
  settings: 'Einstellungen',
  close: 'Schließen',
  now: 'Jetzt leitest du das Spiel.',
  skip: 'Runde beenden',
  end: 'Spiel beenden',
  endAsk: 'Das Spiel für alle beenden?',
  endMore: 'Die bisherigen Punkte sind das Ergebnis.',
  lock: 'Raum sperren',
  unlock: 'Raum öffnen',
  locked: 'Gesperrt: Niemand kann mehr dazukommen',
  remove: (name) => `${name} entfernen`,
  removeAsk: (name) => `${name} aus diesem Spiel entfernen?`,
  removeMore:
    'Wer ein anderes Konto hat oder als neuer Gast kommt, kann mit dem Code wieder dazukommen. Den Raum auch sperren?',
  removeAndLock: 'Entfernen und Raum sperren',
  removeLocked: 'Der Raum ist gesperrt: Niemand kann mehr dazukommen.',
  remote: 'Fernbedienung',
  onProjector: 'Jetzt auf dem Beamer',
  notHost: 'Nur die Spielleitung kann die Fernbedienung benutzen.',
  remoteOnPhone: 'Fernbedienung auf deinem Handy',
  remoteMore:
    'Scanne das mit deinem Handy und melde dich dort mit demselben Konto an. Dann machst du am Handy weiter, sperrst den Raum und entfernst Personen, und die Klasse sieht nur das Spiel.',
  remoteNeedsAccount:
    'Mit einem Konto wird dein Handy zur Fernbedienung, und die Klasse sieht nur das Spiel.',
  seconds: (seconds) => `${seconds} s`,
  roundTime: 'Zeit zum Antworten',
  pause: 'Zeit für das Ergebnis',
  noPause: 'Keine',
  whenISay: 'Bis ich weitermache',
  role: 'Du als Spielleitung',
  plays: 'Ich spiele mit',
  presents: 'Ich zeige nur',
  lateJoin: 'Später dazukommen',
  late: 'Erlaubt',
  notLate: 'Nicht erlaubt',
  names: 'Namen',
  nameRules: { any: 'Eigene', unique: 'Jeder nur einmal', given: 'Freundliche Namen' },
};
