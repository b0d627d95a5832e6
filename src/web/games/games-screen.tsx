// The games that the user has finished, left or presented, newest first. It is loaded when it is opened.
import { useEffect, useState } from 'preact/hooks';
import type { GameList } from '../../client/types.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { rankScores } from '../game/ranking.ts';
import { useI18n } from '../i18n/index.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { useWordsName } from '../words/use-words-name.ts';
import './games.css';

type GameSummary = GameList['games'][number];

export function GamesScreen() {
  const { t, explain } = useI18n();
  const [found, setFound] = useState<GameList | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const older = useSubmit(async () => {
    const { games, next } = await client.listGames({ before: found?.next ?? undefined });
    setFound({ games: [...(found?.games ?? []), ...games], next });
  });
  useEffect(() => {
    client.listGames().then(setFound, (thrown: unknown) => setFailure(explain(thrown)));
  }, []);
  const error = failure ?? older.error;
  return (
    <Page title={t.games.title}>
      {error && <Notice kind="error">{error}</Notice>}
      {!found && !error && <Spinner text={t.loading} />}
      {found?.games.length === 0 && <p class="lead">{t.games.none}</p>}
      {found && found.games.length > 0 && (
        <ul class="card entries ruled">
          {found.games.map((game) => (
            <GameEntry key={game.gameId} game={game} />
          ))}
        </ul>
      )}
      {found?.next && (
        <button type="button" class="secondary" aria-busy={older.isBusy} onClick={older.submit}>
          {t.games.older}
        </button>
      )}
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
