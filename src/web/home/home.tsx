// The first screen of a user: open games, due words, the choice of words, and the ways to play them.
import { useState } from 'preact/hooks';
import type { Assignment, JoinedLobbies } from '../../client/types.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { BegunState, HomeworkEntry } from '../homework/homework-facts.tsx';
import { useI18n } from '../i18n/index.tsx';
import { openQuiz } from '../lobby/saved-games.ts';
import { useProgress } from '../progress/use-progress.ts';
import { DueToday } from '../quiz/due-words.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Card, Notice, Page, useFrame } from '../ui/page.tsx';
import { Pending, useQuery } from '../ui/query.tsx';
import { TextWithNames } from '../ui/text-with-names.tsx';
import { wordsOfDeck, wordsOfList } from '../words/deck-choice.ts';
import { useDeckName, useWordsName } from '../words/names.ts';
import { useDecks, useOwnLists } from '../words/offered-words.ts';
import { DirectionSwap, WordsPicker } from '../words/words-picker.tsx';
import { JoinForm } from './join-form.tsx';
import { Collapsible, WaysToPlay } from './ways-to-play.tsx';

export function HomeScreen() {
  const { t } = useI18n();
  const user = useUser();
  const deckName = useDeckName();
  const progress = useProgress();
  const { choices, error, want } = useDecks();
  const { lists, chosen, choose, isReverse, setReverse } = useOwnLists(progress);
  useFrame('in-home');
  // All parts appear at once, so that no button moves while the user reaches for it.
  const joined = useQuery(client.getLobbies);
  const begun = useQuery(() => client.getBegunAssignments());
  const isAsked = [joined, begun].every(({ data, error }) => data || error);
  const isThere = choices !== undefined && progress !== undefined && lists !== undefined && isAsked;
  const lobbies = joined.data?.lobbies.filter(({ status }) => status !== 'finished') ?? [];
  const homework = begun.data?.assignments.filter(isOpen).slice(0, MAX_SHOWN) ?? [];
  // If the service has no built-in words, the first list is chosen.
  const list = chosen ?? (choices === null ? lists?.[0] : undefined);
  const words = list ? wordsOfList(list, isReverse, list.questions) : choices && wordsOfDeck(choices);
  return (
    <Page title={t.hello(user.name)} heading={<TextWithNames text={t.hello} names={[user.name]} />} width="wide">
      {isThere && progress && <DueToday progress={progress} />}
      {isThere && <UnfinishedGames lobbies={lobbies} />}
      {isThere && homework.length > 0 && (
        <Card title={t.homework.begun}>
          <ul class="entries ruled">
            {homework.map((assignment) => (
              <HomeworkEntry key={assignment.code} assignment={assignment}>
                <BegunState assignment={assignment} />
              </HomeworkEntry>
            ))}
          </ul>
        </Card>
      )}
      <div class="card card-join">
        <JoinForm />
      </div>
      {(!isThere || error) && <Pending error={error} />}
      {isThere && !words && <Notice kind="info">{t.noWords}</Notice>}
      {isThere && words && (
        <div class="columns columns-home">
          <section class="card">
            <Collapsible summary={list?.name ?? (choices ? deckName({ ...choices.deck, topic: choices.topic }) : '')}>
              <WordsPicker choices={choices} lists={lists} chosen={list} onDeck={want} onList={choose} />
            </Collapsible>
            {list && <DirectionSwap direction={words.direction} isReverse={isReverse} onReverse={setReverse} />}
          </section>
          <WaysToPlay words={words} />
        </div>
      )}
      <nav class="actions" aria-label={t.learning.more}>
        <ButtonLink to="/lists" label={t.lists.title} />
        <ButtonLink to="/homework" label={t.homework.title} />
        <ButtonLink to="/progress" label={t.learning.title} />
        <ButtonLink to="/games" label={t.games.title} />
      </nav>
    </Page>
  );
}

type JoinedLobby = JoinedLobbies['lobbies'][number];

/** The most games that are shown. The service has ended games, too, which nobody has closed. */
const MAX_SHOWN = 3;

function isOpen({ closesAt, openAttempt, attemptsLeft }: Assignment): boolean {
  return closesAt > new Date().toISOString() && (openAttempt !== null || attemptsLeft > 0);
}

/** Links to what the user can go back to: this tab's quiz, and the user's games on any device. */
function UnfinishedGames({ lobbies }: { lobbies: JoinedLobby[] }) {
  const { t } = useI18n();
  const user = useUser();
  const wordsName = useWordsName();
  const [quiz] = useState(() => openQuiz(user.id));
  return (
    <>
      {lobbies.slice(0, MAX_SHOWN).map(({ code, isHost, settings }) => (
        <div key={code} class="actions">
          <ButtonLink
            to={`/lobby/${code}`}
            class="primary"
            label={
              <>
                {t.backToLobby(code)}{' '}
                <small>
                  {' '}
                  <bdi>{wordsName(settings)}</bdi>{' '}
                </small>
              </>
            }
          />
          {isHost && !settings.hostPlays && <ButtonLink to={`/lobby/${code}/remote`} label={t.hosting.remote} />}
        </div>
      ))}
      {quiz && <ButtonLink to="/quiz" label={t.continueQuiz} />}
    </>
  );
}
