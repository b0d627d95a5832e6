// The words of a game or of homework that fewest people knew, once more: with a class, or as homework.
import type { ListRequest, WordList } from '../../client/types.ts';
import { MAX_LENGTHS } from '../../vocabulary/lists/rules.ts';
import { client } from '../api.ts';
import { type AskedWord, hardestTerms } from '../game/ranking.ts';
import type { Texts } from '../i18n/en/index.ts';
import { useI18n } from '../i18n/index.tsx';
import { openRoom } from '../lobby/room-choices.ts';
import { ActionButton, ButtonLink, type ButtonLinkProps } from '../ui/button.tsx';
import { type Direction, wordsOfList } from '../words/deck-choice.ts';

/** @returns the name of the list of the hardest words among those with this name */
export function hardestName(t: Texts, of: string): string {
  const name = of.startsWith(t.stage.hardestOf('')) ? of : t.stage.hardestOf(of);
  return [...name].slice(0, MAX_LENGTHS.name).join('').trim();
}

/** Stores words as a list of the user's own, in place of the one of this name. */
export async function saveList(request: ListRequest): Promise<WordList> {
  const { lists } = await client.getLists();
  const known = lists.find(({ name }) => name === request.name);
  return known ? client.replaceList(known.listId, request) : client.createList(request);
}

interface HardestInClassProps {
  of: string;
  direction: Direction;
  asked: readonly AskedWord[];
}

/** Opens a room for a class with the hardest words. */
export function HardestInClass({ of, direction, asked }: HardestInClassProps) {
  const { t } = useI18n();
  const { sourceLanguage, targetLanguage } = direction;
  const terms = hardestTerms(asked);
  if (terms.length === 0 || !sourceLanguage || !targetLanguage) return null;
  const play = async () => {
    const list = await saveList({ sourceLanguage, targetLanguage, terms, name: hardestName(t, of) });
    await openRoom('class', wordsOfList(list, false));
  };
  return <ActionButton label={t.stage.hardestInClass(terms.length)} action={play} />;
}

/** Leads to homework of the words of a finished game, the hardest first. [contract 21] */
export function HardestAsHomework({ gameId, ...props }: Pick<ButtonLinkProps, 'class'> & { gameId: string }) {
  const { t } = useI18n();
  return <ButtonLink to={`/homework/new?game=${gameId}`} {...props} label={t.homework.setHardest} />;
}
