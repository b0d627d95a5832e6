// Plays the words that fewest players knew once more, in the same room. They become a list of the host's own, which
// the next such game with these words replaces.
import type { ListRequest, WordList } from '../../client/types.ts';
import type { Lobby } from '../../lobby/schema.ts';
import { MAX_LENGTHS } from '../../vocabulary/lists/limits.ts';
import { client } from '../api.ts';
import { hardestWords } from '../game/hardest-words.ts';
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { ActionButton } from '../ui/submit-button.tsx';
import { useWordsName } from '../words/names.ts';

export function HardestAgain({ game, lobby: { settings } }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const { sourceLanguage, targetLanguage, listName = wordsName(settings) } = settings;
  const terms = hardestWords(game.state.resolved);
  if (terms.length === 0 || !sourceLanguage || !targetLanguage) return null;
  const isAgain = listName.startsWith(t.stage.hardestOf(''));
  const name = isAgain ? listName : t.stage.hardestOf(listName);
  const play = async () => {
    const { listId } = await saveList({
      sourceLanguage,
      targetLanguage,
      terms,
      name: [...name].slice(0, MAX_LENGTHS.name).join('').trim(),
    });
    game.host.again();
    game.host.configure({ settings: { listId, rounds: terms.length } });
  };
  return (
    <ActionButton class="secondary" action={play}>
      {t.stage.hardestAgain(terms.length)}
    </ActionButton>
  );
}

/** Replaces the list that has this name, or creates one. */
async function saveList(request: ListRequest): Promise<WordList> {
  const { lists } = await client.getLists();
  const known = lists.find(({ name }) => name === request.name);
  return known ? client.replaceList(known.listId, request) : client.createList(request);
}
