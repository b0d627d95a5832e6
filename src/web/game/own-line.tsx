// The line that makes a phone its player's own: the name, and once a round is over the points and the place.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { type GameState, playersIn } from './game-state.ts';
import { rankScores } from './ranking.ts';

export function OwnLine({ state: { scores }, lobby }: { state: GameState; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const isOwn = ({ userId }: { userId: string }) => userId === user.id;
  const own = rankScores(scores).find(isOwn);
  // A lobby may give its players names of their own. [contract 22]
  const name = lobby.players.find(isOwn)?.name ?? user.name;
  return (
    <p class="own-line" translate={false}>
      <bdi>{name}</bdi>
      {own && ` · ${t.pointsInWords(own.score)} · ${t.placeAmong(t.place(own.place), playersIn(scores, lobby))}`}
    </p>
  );
}
