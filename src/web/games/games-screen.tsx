// The games that the user has played, and the screen of one: its standings, answers and missed words.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { GameList, GameResult } from '../../client/types.ts';
import { client } from '../api.ts';
import { saveTable } from '../download.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { rightText } from '../game/answers.ts';
import { rankScores } from '../game/ranking.ts';
import { MissedWords } from '../game/solution.tsx';
import { Standings } from '../game/standings.tsx';
import { useI18n } from '../i18n/index.tsx';
import { HardestAsHomework, HardestInClass } from '../lists/hardest-words.tsx';
import { saveQuiz } from '../lobby/saved-games.ts';
import { practise } from '../quiz/practice.ts';
import { missedWord } from '../quiz/quiz-state.ts';
import { ActionButton, Button, ButtonLink, Link } from '../ui/button.tsx';
import { RadioGroup } from '../ui/choice.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card, Notice, Page } from '../ui/page.tsx';
import { PagedList, QueryFallback, useQuery } from '../ui/query.tsx';
import type { Direction } from '../words/deck-choice.ts';
import { useWordsName } from '../words/names.ts';
import {
  type AnswerEntry,
  type AnswerGroup,
  asNamed,
  byPlayer,
  byWord,
  hardestFirst,
  missedIn,
  mostSaid,
} from './game-answers.ts';
import './games.css';

type GameSummary = GameList['games'][number];

export function GamesScreen() {
  const { t } = useI18n();
  const read = async (before?: string) => {
    const { games, next } = await client.listGames({ before });
    return { items: games, next };
  };
  return (
    <Page title={t.games.title}>
      <PagedList
        read={read}
        none={t.games.none}
        older={t.games.older}
        entry={(game) => <GameEntry key={game.gameId} game={game} />}
      />
    </Page>
  );
}

function GameEntry({ game }: { game: GameSummary }) {
  const { t, dateTime } = useI18n();
  const user = useUser();
  const wordsName = useWordsName();
  const own = rankScores(game.scores).find(({ userId }) => userId === user.id);
  const outcome = own
    ? `${t.placeAmong(t.place(own.place), game.scores.length)} · ${t.pointsInWords(own.score)}`
    : t.games.presented;
  return (
    <li>
      <Link to={`/games/${game.gameId}`} class="entry-link">
        {dateTime(game.finishedAt)}
      </Link>
      <span class="hint">
        <bdi>{wordsName(game.settings)}</bdi> · {outcome}
      </span>
    </li>
  );
}

/** The stored result of a finished game: the standings, the words that the user missed, and all answers. */
export function GameScreen({ gameId }: { gameId: string }) {
  const { t } = useI18n();
  const { data: game, error } = useQuery(() => client.getGame(gameId), gameId);
  if (game) return <Game game={{ ...game, scores: asNamed(game.scores, t) }} />;
  return <QueryFallback error={error} parent={{ path: '/games', title: t.games.title }} />;
}

function Game({ game }: { game: GameResult }) {
  const { t, dateTime } = useI18n();
  const user = useUser();
  const wordsName = useWordsName();
  const { settings, scores, rounds } = game;
  const missed = missedIn(game, user.id);
  const hasPlayed = scores.some(({ userId }) => userId === user.id);
  const practiseMissed = () => {
    saveQuiz(user.id, practise(missed, settings));
    navigate('/quiz');
  };
  const standings = (
    <section class="card" aria-label={t.standings}>
      <Standings scores={scores} ownId={user.id} isExpandable />
    </section>
  );
  return (
    <Page title={t.games.from(dateTime(game.finishedAt))} width="wide">
      <p class="lead">
        <bdi>{wordsName(settings)}</bdi>
      </p>
      {!hasPlayed && rounds.length > 0 ? (
        <Review game={game}>{standings}</Review>
      ) : (
        <div class="columns">
          {standings}
          {rounds.length > 0 && (
            <Card title={t.missed}>
              {missed.length > 0 ? (
                <MissedWords words={missed.map(missedWord)} {...settings} />
              ) : (
                <p>{t.games.missedNone}</p>
              )}
            </Card>
          )}
        </div>
      )}
      {rounds.length > 0 ? (
        <AnswerTable game={game} first={hasPlayed ? 'byWord' : 'byPlayer'} />
      ) : (
        <Notice kind="info">{t.games.noRounds}</Notice>
      )}
      <nav class="actions" aria-label={t.learning.more}>
        {!hasPlayed && rounds.length > 0 && <HardestWays game={game} />}
        {missed.length > 0 && <Button class="primary" label={t.practise} onClick={practiseMissed} />}
        <ButtonLink to="/games" label={t.games.title} />
        <ButtonLink to="/" label={t.home} />
      </nav>
    </Page>
  );
}

/** What a host does next with the words that fewest players knew. */
function HardestWays({ game: { gameId, settings, rounds } }: { game: GameResult }) {
  const wordsName = useWordsName();
  const asked = rounds.map((round) => {
    const share = round.answers.filter(({ isCorrect }) => isCorrect).length / Math.max(1, round.answers.length);
    return { ...round, right: rightText(round, round), share };
  });
  return (
    <>
      <HardestAsHomework gameId={gameId} class="primary" />
      <HardestInClass of={settings.listName ?? wordsName(settings)} direction={settings} asked={asked} />
    </>
  );
}

/** The number of words that are shown. */
const HARDEST = 5;
/** Who has a smaller share of right answers needs help. */
const HELP_BELOW = 0.5;

/**
 * Shows what a teacher wants to know after a game: which words to teach again, and who needs help. Names are folded,
 * since the class may see the screen.
 */
function Review({ game, children }: { game: GameResult; children: ComponentChildren }) {
  const { t } = useI18n();
  const { sourceLanguage, targetLanguage } = game.settings;
  const words = hardestFirst(byWord(game)).slice(0, HARDEST);
  const weak = hardestFirst(byPlayer(game)).filter(({ correct, answers }) => correct < HELP_BELOW * answers.length);
  return (
    <div class="columns">
      <Card title={t.games.hardest}>
        <ul class="hardest ruled">
          {words.map((group) => (
            <li key={group.key}>
              <span>
                <bdi lang={sourceLanguage}>{group.title}</bdi> <strong lang={targetLanguage}>{group.note}</strong>
              </span>
              <Share group={group} />
              <OftenSaid group={group} />
            </li>
          ))}
        </ul>
      </Card>
      <div class="stack">
        <Card title={t.games.help}>
          {weak.length === 0 ? (
            <p>{t.games.helpNobody}</p>
          ) : (
            <details>
              <summary>{t.games.helpMore(weak.length)}</summary>
              <ul class="hardest ruled">
                {weak.map((group) => (
                  <li key={group.key}>
                    <details>
                      <summary>
                        <bdi>{group.title}</bdi>
                      </summary>
                      <MissedWords words={missedIn(game, group.key).map(missedWord)} {...game.settings} />
                    </details>
                    <Share group={group} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </Card>
        {children}
      </div>
    </div>
  );
}

function Share({ group: { correct, answers } }: { group: AnswerGroup }) {
  const { t } = useI18n();
  return (
    <>
      <small class="hint">{t.quizScore(correct, answers.length)}</small>
      <progress aria-hidden="true" max={Math.max(1, answers.length)} value={correct} />
    </>
  );
}

function OftenSaid({ group }: { group: AnswerGroup }) {
  const { t } = useI18n();
  const said = mostSaid(group);
  if (!said) return null;
  return (
    <small class="hint" translate={false}>
      {t.games.often(said)}
    </small>
  );
}

const VIEWS = { byWord, byPlayer };
type View = keyof typeof VIEWS;

export function AnswerTable({ game, first }: { game: GameResult; first: View }) {
  const { t } = useI18n();
  const [view, setView] = useState<View>(first);
  return (
    <Card title={t.allAnswers}>
      <RadioGroup
        label={t.games.grouped}
        options={(Object.keys(VIEWS) as View[]).map((value) => ({ value, text: t.games[value] }))}
        value={view}
        onValue={setView}
      />
      <ul class="groups ruled">
        {VIEWS[view](game).map((group) => (
          <GroupDetails key={`${view} ${group.key}`} group={group} view={view} direction={game.settings} />
        ))}
      </ul>
      <Downloads game={game} />
    </Card>
  );
}

function Downloads({ game }: { game: GameResult }) {
  const { t } = useI18n();
  const save = async (kind: 'gradebook' | 'answers') => {
    const { answersOf, gradebookOf } = await import('./game-answers.ts');
    const tableOf = kind === 'gradebook' ? gradebookOf : answersOf;
    await saveTable(tableOf(game, t, navigator.language), `${game.code}-${kind}`);
  };
  return (
    <div class="actions">
      <ActionButton label={t.games.gradebook} action={() => save('gradebook')} />
      <ActionButton label={t.games.eachAnswer} action={() => save('answers')} />
    </div>
  );
}

function GroupDetails({ group, view, direction }: { group: AnswerGroup; view: View; direction: Direction }) {
  const { t } = useI18n();
  const { sourceLanguage, targetLanguage } = direction;
  const [isOpen, setOpen] = useState(false);
  const { title, note, correct, answers } = group;
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="row apart">
          <span>
            <bdi lang={view === 'byWord' ? sourceLanguage : undefined}>{title}</bdi>{' '}
            {note && <bdi lang={targetLanguage}>{note}</bdi>}
          </span>
          <small class="hint">{t.quizScore(correct, answers.length)}</small>
        </summary>
        {isOpen && (
          <ul class="answer-list">
            {answers.map((answer) => (
              <AnswerItem key={answer.key} answer={answer} view={view} direction={direction} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

function AnswerItem({ answer, view, direction }: { answer: AnswerEntry; view: View; direction: Direction }) {
  const { t, locale } = useI18n();
  const { sourceLanguage, targetLanguage } = direction;
  const { of, text, right, verdict, elapsedMs } = answer;
  const isCorrect = verdict !== 'wrong';
  const seconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', maximumFractionDigits: 1 } as const);
  return (
    <li>
      <bdi lang={view === 'byPlayer' ? sourceLanguage : undefined}>{of}</bdi>
      <span class={isCorrect ? 'answer-right' : 'answer-wrong'}>
        <Icon name={isCorrect ? 'check' : 'cross'} />{' '}
        <span class={text === '' ? undefined : 'visually-hidden'}>{t.games[verdict]}</span>{' '}
        {text === null ? t.noAnswer : <bdi lang={targetLanguage}>{text}</bdi>}
        {verdict === 'close' && text !== '' && <small> ({t.games.close})</small>}
        {!isCorrect && view === 'byPlayer' && (
          <small>
            {' '}
            {t.rightAnswer}: <bdi lang={targetLanguage}>{right}</bdi>
          </small>
        )}
      </span>
      <small class="hint">{elapsedMs !== null && seconds.format(elapsedMs / 1000)}</small>
    </li>
  );
}
