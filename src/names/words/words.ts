// The parts of the friendly names of a language. Both kinds of words are chosen so that no pair of them can hurt
// anybody: no parts of the body, no colours of skin, and no animals that are called names.

export interface NameWords {
  adjectives: readonly string[];
  nouns: readonly string[];
  order: 'adjective first' | 'noun first';
}

/** @returns the words of a text */
export function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}
