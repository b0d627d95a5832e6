// The result of a finished game, read again: who won, which words one missed, and who answered what.
import type { GameResult } from '../../client/types.ts';
import { client } from '../api.ts';
import { MissedWords } from '../components/missed-words.tsx';
import { NotThere } from '../components/not-there.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Standings } from '../components/standings.tsx';
import { useI18n } from '../i18n/index.tsx';
import { missedWord } from '../quiz-state.ts';
import { useUser } from '../session.tsx';
import { useAsked } from '../use-asked.ts';
import { AnswerTable } from './answer-table.tsx';
import { missedIn } from './game-answers.ts';
import { useGameWords } from './use-game-words.ts';
import './games.css';

export default function GameScreen({ gameId }: { gameId: string }) {
  const { t } = useI18n();
  const { found, error } = useAsked(() => client.getGame(gameId), gameId);
  if (found) return <Game game={found} />;
  return <NotThere error={error} others={{ path: '/games', title: t.games.title }} />;
}

function Game({ game }: { game: GameResult }) {
  const { t, dateTime } = useI18n();
  const user = useUser();
  const wordsName = useGameWords();
  const { settings, scores, rounds } = game;
  const missed = missedIn(game, user.id);
  const hasPlayed = scores.some(({ userId }) => userId === user.id);
  return (
    <Page title={t.games.from(dateTime(game.finishedAt))} width="wide">
      <p class="lead">
        <bdi>{wordsName(settings)}</bdi>
      </p>
      <div class="columns">
        <section class="card" aria-label={t.standings}>
          <Standings scores={scores} ownId={user.id} isExpandable />
        </section>
        {hasPlayed && rounds.length > 0 && (
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
      {rounds.length > 0 ? (
        <AnswerTable game={game} />
      ) : (
        <Notice kind="info">{t.games.noRounds}</Notice>
      )}
    </Page>
  );
}
