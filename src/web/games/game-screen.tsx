// The stored result of a finished game: the standings, the words that the user missed, and all answers.
import type { GameResult } from '../../client/types.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { MissedWords } from '../game/missed-words.tsx';
import { Standings } from '../game/standings.tsx';
import { useI18n } from '../i18n/index.tsx';
import { missedWord } from '../quiz/quiz-state.ts';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { QueryFallback } from '../ui/query-fallback.tsx';
import { useQuery } from '../ui/use-query.ts';
import { useWordsName } from '../words/use-words-name.ts';
import { AnswerTable } from './answer-table.tsx';
import { missedIn } from './game-answers.ts';
import { Review } from './review.tsx';
import './games.css';

export function GameScreen({ gameId }: { gameId: string }) {
  const { t } = useI18n();
  const { data: game, error } = useQuery(() => client.getGame(gameId), gameId);
  if (game) return <Game game={game} />;
  return <QueryFallback error={error} parent={{ path: '/games', title: t.games.title }} />;
}

function Game({ game }: { game: GameResult }) {
  const { t, dateTime } = useI18n();
  const user = useUser();
  const wordsName = useWordsName();
  const { settings, scores, rounds } = game;
  const missed = missedIn(game, user.id);
  const hasPlayed = scores.some(({ userId }) => userId === user.id);
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
            <section class="card" aria-labelledby="missed">
              <h2 id="missed">{t.missed}</h2>
              {missed.length > 0 ? (
                <MissedWords words={missed.map(missedWord)} {...settings} />
              ) : (
                <p>{t.games.missedNone}</p>
              )}
            </section>
          )}
        </div>
      )}
      {rounds.length > 0 ? (
        <AnswerTable game={game} first={hasPlayed ? 'byWord' : 'byPlayer'} />
      ) : (
        <Notice kind="info">{t.games.noRounds}</Notice>
      )}
    </Page>
  );
}
