// Links to what the user can go back to: this tab's quiz, and the user's games on any device.
import { useEffect, useState } from 'preact/hooks';
import type { JoinedLobbies } from '../../client/types.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { openQuiz } from '../lobby/saved-games.ts';
import { Link } from '../ui/link.tsx';
import { useWordsName } from '../words/use-words-name.ts';

type JoinedLobby = JoinedLobbies['lobbies'][number];

/** The most games that are shown. The service has ended games, too, which nobody has closed. */
const MAX_SHOWN = 3;

/** @returns the lobbies whose games are not over, the newest first; undefined while the request runs */
export function useOpenLobbies(): JoinedLobby[] | undefined {
  const [lobbies, setLobbies] = useState<JoinedLobby[] | undefined>(undefined);
  useEffect(() => {
    client.getLobbies().then(
      (found) => setLobbies(found.lobbies.filter(({ status }) => status !== 'finished')),
      () => setLobbies([]),
    );
  }, []);
  return lobbies;
}

export function UnfinishedGames({ lobbies }: { lobbies: JoinedLobby[] }) {
  const { t } = useI18n();
  const user = useUser();
  const wordsName = useWordsName();
  const [quiz] = useState(() => openQuiz(user.id));
  return (
    <>
      {lobbies.slice(0, MAX_SHOWN).map(({ code, isHost, settings }) => (
        <div key={code} class="actions">
          <Link to={`/lobby/${code}`} class="button primary">
            {t.backToLobby(code)}
            <small>
              <bdi>{wordsName(settings)}</bdi>
            </small>
          </Link>
          {isHost && !settings.hostPlays && (
            <Link to={`/lobby/${code}/remote`} class="button secondary">
              {t.hosting.remote}
            </Link>
          )}
        </div>
      ))}
      {quiz && (
        <Link to="/quiz" class="button secondary">
          {t.continueQuiz}
        </Link>
      )}
    </>
  );
}
