// The texts for hosts in French.
import type { Texts } from '../en/index.ts';

export const frHosting: Texts['hosting'] = {
  manage: 'Gérer la partie',
  settings: 'Réglages',
  close: 'Fermer',
  now: 'C’est vous l’hôte, maintenant.',
  skip: 'Terminer la manche',
  end: 'Terminer la partie',
  endAsk: 'Terminer la partie pour tout le monde ?',
  endMore: 'Les points obtenus jusqu’ici font le résultat.',
  lock: 'Verrouiller la salle',
  unlock: 'Déverrouiller la salle',
  locked: 'Verrouillée : plus personne ne peut entrer',
  remove: (name) => `Exclure ${name}`,
  removeAsk: (name) => `Exclure ${name} de cette partie ?`,
  removeMore:
    'Avec un autre compte, ou comme nouvel invité, on peut revenir avec le code. Verrouiller aussi la salle ?',
  removeAndLock: 'Exclure et verrouiller la salle',
  removeLocked: 'La salle est verrouillée : plus personne ne peut entrer.',
  remote: 'Télécommande',
  onProjector: 'Au projecteur en ce moment',
  notHost: 'Seul l’hôte de la partie peut utiliser la télécommande.',
  remoteOnPhone: 'Télécommande sur votre téléphone',
  remoteMore:
    'Scannez ce code avec votre téléphone et connectez-vous avec le même compte. Vous continuez, verrouillez et excluez depuis le téléphone, et la classe ne voit que la partie.',
  remoteNeedsAccount:
    'Avec un compte, votre téléphone devient une télécommande, et la classe ne voit que la partie.',
  seconds: (seconds) => `${seconds} s`,
  roundTime: 'Temps pour répondre',
  pause: 'Temps pour le résultat',
  noPause: 'Aucun',
  whenISay: 'Jusqu’à mon signal',
  role: 'Vous, l’hôte',
  plays: 'Je joue aussi',
  presents: 'Je présente seulement',
  lateJoin: 'Arriver en cours de partie',
  late: 'Autorisé',
  notLate: 'Non autorisé',
  names: 'Noms',
  nameRules: { any: 'Les leurs', unique: 'Chaque nom une fois', given: 'Noms amusants' },
};
