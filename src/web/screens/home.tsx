// What to play: alone, or with friends.
import { useState } from 'preact/hooks';
import { CreateLobbyForm } from '../components/create-lobby-form.tsx';
import { DeckPicker } from '../components/deck-picker.tsx';
import { DueToday } from '../components/due-today.tsx';
import { Fold } from '../components/fold.tsx';
import { Icon } from '../components/icon.tsx';
import { JoinForm } from '../components/join-form.tsx';
import { Link } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { StartQuizForm } from '../components/start-quiz-form.tsx';
import { Waiting } from '../components/waiting.tsx';
import { useI18n } from '../i18n/index.tsx';
import { openLobby, openQuiz } from '../kept.ts';
import { useUser } from '../session.tsx';
import { useDecks } from '../use-decks.ts';
import { useProgress } from '../use-progress.ts';
import { useDeckName } from '../use-words-name.ts';

export function HomeScreen() {
  const { t } = useI18n();
  const user = useUser();
  const deckName = useDeckName();
  const progress = useProgress();
  const { choices, error, want } = useDecks();
  // All of it at once: nothing moves away from under a finger.
  const isThere = choices !== undefined && progress !== undefined;
  return (
    <Page title={t.hello(user.name)} width="wide">
      {isThere && progress && <DueToday progress={progress} />}
      <Unfinished />
      {error && <Notice kind="error">{error}</Notice>}
      <div class="card card-join">
        <JoinForm />
      </div>
      {!isThere && !error && <Waiting text={t.loading} />}
      {choices === null && <Notice kind="info">{t.noWords}</Notice>}
      {isThere && choices && (
        <div class="columns columns-home">
          <section class="card">
            <Fold summary={deckName(choices.deck)}>
              <DeckPicker choices={choices} onWanted={want} />
            </Fold>
          </section>
          <section class="card" aria-labelledby="alone">
            <h2 id="alone">
              <Icon name="person" /> {t.playAlone}
            </h2>
            <StartQuizForm deck={choices.deck} />
          </section>
          <section class="card" aria-labelledby="together">
            <h2 id="together">
              <Icon name="people" /> {t.playTogether}
            </h2>
            <CreateLobbyForm deck={choices.deck} />
          </section>
        </div>
      )}
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
