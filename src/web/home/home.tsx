import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useProgress } from '../progress/use-progress.ts';
import { Collapsible } from '../ui/collapsible.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { wordsOfDeck, wordsOfList } from '../words/deck-choice.ts';
import { useDecks } from '../words/use-decks.ts';
import { useOwnLists } from '../words/use-own-lists.ts';
import { useDeckName } from '../words/use-words-name.ts';
import { WordsPicker } from '../words/words-picker.tsx';
import { DueToday } from './due-today.tsx';
import { JoinForm } from './join-form.tsx';
import { UnfinishedGames, useOpenLobbies } from './unfinished-games.tsx';
import { WaysToPlay } from './ways-to-play.tsx';

export function HomeScreen() {
  const { t } = useI18n();
  const user = useUser();
  const deckName = useDeckName();
  const progress = useProgress();
  const { choices, error, want } = useDecks();
  const { lists, chosen, choose } = useOwnLists(progress);
  // All parts appear at once, so that no button moves while the user reaches for it.
  const open = useOpenLobbies();
  const isThere = choices !== undefined && progress !== undefined && lists !== undefined && open !== undefined;
  // If the service has no built-in words, the first list is chosen.
  const list = chosen ?? (choices === null ? lists?.[0] : undefined);
  const words = list ? wordsOfList(list, list.questions) : choices && wordsOfDeck(choices.deck);
  return (
    <Page title={t.hello(user.name)} width="wide">
      {isThere && progress && <DueToday progress={progress} />}
      {isThere && <UnfinishedGames lobbies={open} />}
      {error && <Notice kind="error">{error}</Notice>}
      <div class="card card-join">
        <JoinForm />
      </div>
      {!isThere && !error && <Spinner text={t.loading} />}
      {isThere && !words && <Notice kind="info">{t.noWords}</Notice>}
      {isThere && words && (
        <div class="columns columns-home">
          <section class="card">
            <Collapsible summary={list?.name ?? (choices ? deckName(choices.deck) : '')}>
              <WordsPicker choices={choices} lists={lists} chosen={list} onDeck={want} onList={choose} />
            </Collapsible>
          </section>
          <WaysToPlay words={words} />
        </div>
      )}
      <nav class="actions" aria-label={t.learning.more}>
        <Link to="/lists" class="button secondary">
          {t.lists.title}
        </Link>
        <Link to="/homework" class="button secondary">
          {t.homework.title}
        </Link>
        <Link to="/progress" class="button secondary">
          {t.learning.title}
        </Link>
        <Link to="/games" class="button secondary">
          {t.games.title}
        </Link>
      </nav>
    </Page>
  );
}
