// The texts of the landing page in German.
import type { Texts } from '../en/index.ts';

export const deLanding: Texts['landing'] = {
  ways: {
    alone: ['Allein', 'was du vergisst, kommt wieder, bis es sitzt'],
    friends: ['Mit Freunden', 'Link schicken, und los geht’s'],
    class: ['Mit der Klasse', 'bis zu 200 Handys und ein Beamer'],
  },
  ownLists: 'eigene Listen in jeder Sprache',
  sample: {
    question: 'Wie heißt das auf Englisch?',
    prompt: 'Schmetterling',
    lang: 'en',
    options: ['dragonfly', 'butterfly', 'firefly', 'ladybird'],
    right: 1,
  },
};
