// The scores of a game, highest first: the leaders, and the user with both neighbours. A button shows the others. Above a
// round a line has the user's own.
import { useState } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { ActionButton } from '../ui/button.tsx';
import { type GameState, type PlacedScore, playersIn } from './game-state.ts';
import { leadingAndOwn, pointsBehind, rankScores } from './ranking.ts';

interface StandingsProps {
  scores: PlacedScore[];
  /** The scores a round ago; without them no changes of place are shown. */
  before?: PlacedScore[];
  ownId: string;
  isExpandable?: boolean;
  /** How many have played, if not all scores are known. [contract 19] */
  players?: number;
  /** Reads the scores of all, where not all are known and the user may read them. */
  readAll?: (() => Promise<PlacedScore[]>) | undefined;
}

export function Standings(props: StandingsProps) {
  const { scores, before = [], ownId, isExpandable = false, readAll } = props;
  const { t } = useI18n();
  const [isWhole, setWhole] = useState(false);
  const [read, setRead] = useState<PlacedScore[] | null>(null);
  const all = rankScores(read ?? scores, before);
  const players = Math.max(all.length, props.players ?? 0);
  const isKnown = all.length === players;
  const shown = isWhole ? all : leadingAndOwn(all, ownId);
  // The first entry after the ones that are left out.
  const gapAt = shown.findIndex(({ userId }, at) => userId !== all[at]?.userId);
  const behind = pointsBehind(all, ownId);
  return (
    <>
      <h2>{t.standings}</h2>
      <ol class={isWhole ? 'standings is-whole' : 'standings'}>
        {shown.map(({ userId, name, score, place, placesGained }, at) => (
          <li key={userId} class={`${userId === ownId ? 'is-own' : ''} ${at === gapAt ? 'is-after-gap' : ''}`}>
            <span class="place">{t.place(place)}</span>
            <span class="name">
              <bdi>{name}</bdi>
              {userId === ownId && <small> ({t.you})</small>}
            </span>
            <PlaceChange placesGained={placesGained} />
            <span class="points">
              {score}
              <span class="visually-hidden"> {t.pointsInWords(score)}</span>
            </span>
          </li>
        ))}
      </ol>
      {behind !== null && <p class="hint">{t.behind(behind)}</p>}
      {isExpandable && !isWhole && shown.length < (readAll ? players : all.length) && (
        <ActionButton
          label={isKnown || readAll ? t.showAll(players) : t.showMore}
          action={async () => {
            if (readAll && !isKnown) setRead(await readAll());
            setWhole(true);
          }}
        />
      )}
    </>
  );
}

/** @param props.placesGained the number of places gained; negative for places lost */
export function PlaceChange({ placesGained }: { placesGained: number }) {
  const { t } = useI18n();
  if (placesGained === 0) return null;
  return (
    <span class={placesGained > 0 ? 'climbed' : 'fallen'}>
      <span aria-hidden="true">
        {placesGained > 0 ? '▲' : '▼'}
        {Math.abs(placesGained)}
      </span>
      <span class="visually-hidden">{placesGained > 0 ? t.climbed(placesGained) : t.fallen(-placesGained)}</span>
    </span>
  );
}

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
