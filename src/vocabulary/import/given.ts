// What the command line says of terms: their deck, or what of it their file leaves out.
import { type Deck, DIFFICULTIES, LANGUAGES, PARTS_OF_SPEECH } from '../schema.ts';
import type { Given } from './dictionary.ts';
import { ImportError } from './import-error.ts';

const DECK = 'en-it, or en-it-noun-A1';

/** @throws ImportError when one of them is none */
export function readGiven(options: {
  deck?: string | undefined;
  pos?: string | undefined;
  difficulty?: string | undefined;
}): Given {
  const [sourceLanguage, targetLanguage, pos, difficulty, ...surplus] =
    options.deck?.split(/[^a-z0-9]+/i) ?? [];
  if (options.deck !== undefined && (!targetLanguage || surplus.length > 0))
    throw new ImportError(`--deck is written as ${DECK}.`);
  const given = {
    sourceLanguage: oneOf(LANGUAGES, sourceLanguage?.toLowerCase(), '--deck: a language'),
    targetLanguage: oneOf(LANGUAGES, targetLanguage?.toLowerCase(), '--deck: a language'),
    pos: oneOf(PARTS_OF_SPEECH, (options.pos ?? pos)?.toLowerCase(), '--pos'),
    difficulty: oneOf(
      DIFFICULTIES,
      (options.difficulty ?? difficulty)?.toUpperCase(),
      '--difficulty',
    ),
  };
  if (sourceLanguage && given.sourceLanguage === given.targetLanguage)
    throw new ImportError('--deck: the two languages must differ.');
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as Partial<Deck>;
}

function oneOf<T extends string>(
  values: readonly T[],
  value: string | undefined,
  what: string,
): T | undefined {
  const found = values.find((one) => one === value);
  if (value !== undefined && !found)
    throw new ImportError(`${what} must be one of ${values.join(', ')}.`);
  return found;
}
