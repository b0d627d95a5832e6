// The first screen of a user: open games, due words, the choice of words, and the ways to play them.
import { useState } from 'preact/hooks';
import type { Assignment, JoinedLobbies } from '../../client/types.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { HomeworkEntry } from '../homework/homework-facts.tsx';
import { useI18n } from '../i18n/index.tsx';
import { openQuiz } from '../lobby/saved-games.ts';
import { useProgress } from '../progress/use-progress.ts';
import { DueToday } from '../quiz/due-words.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Card, Notice, Page, TextWithNames, useFrame } from '../ui/page.tsx';
import { Pending, useQuery } from '../ui/query.tsx';
import { useWordsName } from '../words/names.ts';
import { useChosenWords } from '../words/words-picker.tsx';
import { JoinForm } from './join-form.tsx';
import { Collapsible, WaysToPlay } from './ways-to-play.tsx';

export function HomeScreen() {
  const { t } = useI18n();
  const user = useUser();
  const progress = useProgress();
  const { words, name, picker, swap, error, ...chosen } = useChosenWords(progress);
  useFrame('in-home');
  const joined = useQuery(client.getLobbies);
  const begun = useQuery(() => client.getBegunAssignments());
  const isAsked = [joined, begun].every(({ data, error }) => data || error);
  const isThere = chosen.isThere && progress !== undefined && isAsked;
  const lobbies = joined.data?.lobbies.filter(({ status }) => status !== 'finished') ?? [];
  const homework = begun.data?.assignments.filter(isOpen).slice(0, MAX_SHOWN) ?? [];
  const head = { title: t.hello(user.name), heading: <TextWithNames text={t.hello} names={[user.name]} /> };
  // All parts appear at once, so that no button moves while the user reaches for it.
  if (!isThere && !error)
    return (
      <Page {...head} width="wide">
        <Pending error={null} />
      </Page>
    );
  return (
    <Page {...head} width="wide">
      {isThere && progress && <DueToday progress={progress} />}
      {isThere && <UnfinishedGames lobbies={lobbies} />}
      {isThere && homework.length > 0 && (
        <Card title={t.homework.begun}>
          <ul class="entries ruled">
            {homework.map((assignment) => (
              <HomeworkEntry key={assignment.code} assignment={assignment} />
            ))}
          </ul>
        </Card>
      )}
      <div class="card card-join">
        <JoinForm />
      </div>
      {error && <Pending error={error} />}
      {isThere && !words && <Notice kind="info">{t.noWords}</Notice>}
      {isThere && words && (
        <div class="columns columns-home">
          <section class="card">
            <Collapsible summary={name}>{picker}</Collapsible>
            {swap}
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
