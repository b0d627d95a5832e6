// The texts of the projector's screens in French.
import type { enStage } from '../en/stage.ts';

export const frStage: typeof enStage = {
  open: 'Afficher au projecteur',
  join: 'Rejoignez la partie',
  players: (count) => (count === 1 ? '1 joueur' : `${count} joueurs`),
  nobodyYet: 'Les noms s’affichent ici au fur et à mesure.',
  answered: (answered, awaited) => `${answered} réponses sur ${awaited}`,
  keys: 'Espace, → ou une télécommande pour continuer, F pour le plein écran.',
  fullScreenKey: 'F pour le plein écran.',
  fullScreen: 'Plein écran',
  hardestAgain: (words) => `Rejouer les ${words} plus difficiles`,
  hardestOf: (words) => `Les plus difficiles : ${words}`,
  leaveRunning: 'La partie continue sans vous : quelqu’un d’autre en devient l’hôte.',
};
