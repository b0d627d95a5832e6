// The games that one has finished, left or presented, the newest first. Loaded when it is opened.
import { useEffect, useState } from 'preact/hooks';
import type { GameList } from '../../client/types.ts';
import { client } from '../api.ts';
import { Link } from '../components/link.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Waiting } from '../components/waiting.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import { placesOf } from '../standings.ts';
import { useSubmit } from '../use-submit.ts';
import { useGameWords } from './use-game-words.ts';
import './games.css';

type Summary = GameList['games'][number];

export default function GamesScreen() {
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
      {!found && !error && <Waiting text={t.loading} />}
      {found?.games.length === 0 && <p class="lead">{t.games.none}</p>}
      {found && found.games.length > 0 && (
        <ul class="card entries ruled">
          {found.games.map((game) => (
            <Entry key={game.gameId} game={game} />
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

function Entry({ game }: { game: Summary }) {
  const { t, dateTime } = useI18n();
  const user = useUser();
  const wordsName = useGameWords();
  const own = placesOf(game.scores).find(({ userId }) => userId === user.id);
  const outcome = own
    ? `${t.games.place(t.place(own.place), game.scores.length)} · ${t.pointsInWords(own.score)}`
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
