// The texts of the landing page in Italian.
import type { Texts } from '../en/index.ts';

export const itLanding: Texts['landing'] = {
  ways: {
    alone: ['Da solo', 'le parole sbagliate tornano finché non restano'],
    friends: ['Con gli amici', 'basta un link e si gioca'],
    class: ['Con la classe', 'fino a 200 telefoni e un proiettore'],
  },
  ownLists: 'le tue liste, in qualsiasi lingua',
  sample: {
    question: 'Come si dice in inglese?',
    prompt: 'farfalla',
    lang: 'en',
    options: ['dragonfly', 'butterfly', 'firefly', 'ladybird'],
    right: 1,
  },
};
