// The texts about typed answers and words that are read aloud in English.

export const enTyped = {
  label: 'Answers',
  modes: { choice: 'Choose', typed: 'Type' },
  practise: 'Type the answers',
  send: 'Answer',
  letters: 'Special letters',
  close: 'Right! Mind the spelling.',
  alsoRight: 'Also right:',
  onDevice: 'Type the answer on your device.',
  wereRight: 'Right',
  wereWrong: 'Not right',
  listen: 'Listen',
  readAloud: 'Always read aloud',
};
