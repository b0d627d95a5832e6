// Finds what the answers to a typed question are compared with: the accepted translations, and those translations of
// other prompts that are close to one of them. [contract 20]
import { setImmediate } from 'node:timers/promises';
import { isOneEditApart } from '../../judging/edits.ts';
import { canonicalsOf } from '../../judging/forms.ts';
import { canonicalKeysOf, hasEnoughLetters } from '../../judging/verdict.ts';
import type { Pool, Term } from '../rules.ts';
import { bareKey, keysNearForm, keysOfForm } from './near-keys.ts';
import type { TypedKey } from './rules.ts';

/**
 * The UTF-16 units of all accepted translations of a question, and of all close ones. A list may have 2,000 translations
 * of one prompt, whose further ones are not accepted: they would be stored and sent with each question.
 */
const MAX_UNITS = 4000;

/** The number of terms that one turn of the event loop indexes, in some 5 ms for the most expensive texts. */
const TERMS_A_TURN = 10;

/** The translations of some terms, with indexes by prompt and by form. */
export interface Translations {
  /** @returns what the answers to a term of the index are compared with; its own translation is the first one */
  keyOf(term: Term): TypedKey;
}

/** @param language the ISO 639-1 code of the translations' language */
export async function indexTranslations(
  terms: readonly Term[],
  promptOf: Pool['promptOf'],
  language: string,
): Promise<Translations> {
  const byPrompt = new Map<string, Term[]>();
  const byKey = new Map<number, IndexedForm[]>();
  for (const [at, term] of terms.entries()) {
    const prompt = promptOf(term);
    append(byPrompt, prompt, term);
    for (const form of canonicalsOf(term.targetText, language)) {
      const indexed = { prompt, form, bare: bareKey(form) };
      for (const key of keysOfForm(form)) append(byKey, key, indexed);
    }
    if (at % TERMS_A_TURN === TERMS_A_TURN - 1) await setImmediate();
  }
  return {
    keyOf(term) {
      const prompt = promptOf(term);
      const accepted = acceptedOf(term, byPrompt.get(prompt) ?? []);
      const forms = new Set(accepted.flatMap((text) => canonicalsOf(text, language)));
      const others = new Set<string>();
      for (const form of forms) {
        const isClose = closeForms(form);
        const candidates = new Set(keysNearForm(form).flatMap((key) => byKey.get(key) ?? []));
        for (const other of candidates)
          if (other.prompt !== prompt && isClose(other) && !forms.has(other.form))
            others.add(other.form);
      }
      const keys = cut([...others]).flatMap((other) => canonicalKeysOf(other, language));
      return { language, accepted, others: [...new Set(keys)] };
    },
  };
}

/** A form of a translation, with the hash of the form without diacritics. */
interface IndexedForm {
  prompt: string;
  form: string;
  bare: number;
}

/** Compares hashes where only diacritics may differ, since each other comparison would normalise the form. */
function closeForms(form: string): (other: IndexedForm) => boolean {
  const bare = bareKey(form);
  const isLong = hasEnoughLetters(form);
  return (other) => other.bare === bare || (isLong && isOneEditApart(other.form, form));
}

/** @returns the translations that answer a term, its own at first */
function acceptedOf({ targetText }: Term, ofPrompt: readonly Term[]): string[] {
  return cut([...new Set([targetText, ...ofPrompt.map((term) => term.targetText)])]);
}

/** @returns the first texts, as many as `MAX_UNITS` allows */
function cut(texts: readonly string[]): string[] {
  let units = 0;
  const end = texts.findIndex((text) => {
    units += text.length;
    return units > MAX_UNITS;
  });
  return end < 0 ? [...texts] : texts.slice(0, Math.max(1, end));
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
