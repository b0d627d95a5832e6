// The texts of the landing page in English.

export const enLanding = {
  ways: {
    alone: ['Alone', 'the words you miss come back until they stick'],
    friends: ['With friends', 'send a link, and the race is on'],
    class: ['With a class', 'up to 200 phones and one projector'],
  },
  ownLists: 'your own lists, in any language',
  sample: {
    question: 'What is it in Italian?',
    prompt: 'butterfly',
    lang: 'it',
    options: ['fragola', 'finestra', 'farfalla', 'forchetta'],
    right: 2,
  },
};
