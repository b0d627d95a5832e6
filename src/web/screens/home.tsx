// What to play: alone, or with friends.
import { useState } from 'preact/hooks';
import { DueToday } from '../components/due-today.tsx';
import { Fold } from '../components/fold.tsx';
import { JoinForm } from '../components/join-form.tsx';
import { Link } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Waiting } from '../components/waiting.tsx';
import { WaysToPlay } from '../components/ways-to-play.tsx';
import { WordsPicker } from '../components/words-picker.tsx';
import { wordsOfDeck, wordsOfList } from '../deck-choice.ts';
import { useI18n } from '../i18n/index.tsx';
import { openLobby, openQuiz } from '../kept.ts';
import { useUser } from '../session.tsx';
import { useDecks } from '../use-decks.ts';
import { useOwnLists } from '../use-own-lists.ts';
import { useProgress } from '../use-progress.ts';
import { useDeckName } from '../use-words-name.ts';

export function HomeScreen() {
  const { t } = useI18n();
  const user = useUser();
  const deckName = useDeckName();
  const progress = useProgress();
  const { choices, error, want } = useDecks();
  const { lists, chosen, choose } = useOwnLists(progress);
  // All of it at once: nothing moves away from under a finger.
  const isThere = choices !== undefined && progress !== undefined && lists !== undefined;
  // Without built-in words a list is chosen, if there is one.
  const list = chosen ?? (choices === null ? lists?.[0] : undefined);
  const words = list ? wordsOfList(list, list.questions) : choices && wordsOfDeck(choices.deck);
  return (
    <Page title={t.hello(user.name)} width="wide">
      {isThere && progress && <DueToday progress={progress} />}
      <Unfinished />
      {error && <Notice kind="error">{error}</Notice>}
      <div class="card card-join">
        <JoinForm />
      </div>
      {!isThere && !error && <Waiting text={t.loading} />}
      {isThere && !words && <Notice kind="info">{t.noWords}</Notice>}
      {isThere && words && (
        <div class="columns columns-home">
          <section class="card">
            <Fold summary={list?.name ?? (choices ? deckName(choices.deck) : '')}>
              <WordsPicker
                choices={choices}
                lists={lists}
                chosen={list}
                onDeck={want}
                onList={choose}
              />
            </Fold>
          </section>
          <WaysToPlay words={words} />
        </div>
      )}
      <nav class="actions" aria-label={t.learning.more}>
        <Link to="/lists" class="button secondary">
          {t.lists.title}
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

/** The way back to what was left open in this tab. */
function Unfinished() {
  const { t } = useI18n();
  const user = useUser();
  const [quiz] = useState(() => openQuiz(user.id));
  const [lobby] = useState(() => openLobby(user.id));
  return (
    <>
      {lobby && (
        <Link to={`/lobby/${lobby.code}`} class="button primary">
          {t.backToLobby(lobby.code)}
        </Link>
      )}
      {quiz && (
        <Link to="/quiz" class="button secondary">
          {t.continueQuiz}
        </Link>
      )}
    </>
  );
}
