// Reads the options of the command line that name a deck, or the parts of it that a file leaves out.
import { type Deck, DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from '../../vocabulary/schema.ts';
import type { DeckDefaults } from './dictionary.ts';
import { ImportError } from './import-error.ts';

const DECK_EXAMPLES = 'en-it, or en-it-noun-A1';

/** @throws ImportError when an option has an invalid value */
export function readDeckOptions(options: {
  deck?: string | undefined;
  pos?: string | undefined;
  difficulty?: string | undefined;
}): DeckDefaults {
  const [sourceLanguage, targetLanguage, pos, difficulty, ...surplus] = options.deck?.split(/[^a-z0-9]+/i) ?? [];
  if (options.deck !== undefined && (!targetLanguage || surplus.length > 0))
    throw new ImportError(`--deck is written as ${DECK_EXAMPLES}.`);
  const defaults = {
    sourceLanguage: oneOf(LANGUAGES, sourceLanguage?.toLowerCase(), '--deck: a language'),
    targetLanguage: oneOf(LANGUAGES, targetLanguage?.toLowerCase(), '--deck: a language'),
    pos: oneOf(PARTS_OF_SPEECH, (options.pos ?? pos)?.toLowerCase(), '--pos'),
    difficulty: oneOf(DIFFICULTIES, (options.difficulty ?? difficulty)?.toUpperCase(), '--difficulty'),
  };
  if (sourceLanguage && defaults.sourceLanguage === defaults.targetLanguage)
    throw new ImportError('--deck: the two languages must differ.');
  const said = Object.entries(defaults).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as Partial<Deck>;
}

function oneOf<T extends string>(values: readonly T[], value: string | undefined, what: string): T | undefined {
  const found = values.find((one) => one === value);
  if (value !== undefined && !found) throw new ImportError(`${what} must be one of ${values.join(', ')}.`);
  return found;
}
