// The texts of the landing page in French.
import type { Texts } from '../en/index.ts';

export const frLanding: Texts['landing'] = {
  ways: {
    alone: ['En solo', 'les mots manqués reviennent jusqu’à ce qu’ils restent'],
    friends: ['Entre amis', 'un lien suffit, et la course commence'],
    class: ['En classe', 'jusqu’à 200 téléphones et un projecteur'],
  },
  ownLists: 'vos propres listes, dans toutes les langues',
  sample: {
    question: 'Comment dit-on en anglais ?',
    prompt: 'papillon',
    lang: 'en',
    options: ['dragonfly', 'butterfly', 'firefly', 'ladybird'],
    right: 1,
  },
};
