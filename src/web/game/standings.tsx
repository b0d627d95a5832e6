// The scores of a game, highest first: the leaders, and the user with both neighbours. A button shows the
// others.
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import type { PlacedScore } from './game-state.ts';
import { PlaceChange } from './own-result.tsx';
import { leadingAndOwn, pointsBehind, rankScores } from './ranking.ts';

interface StandingsProps {
  scores: PlacedScore[];
  /** The scores a round ago; without them no changes of place are shown. */
  before?: PlacedScore[];
  ownId: string;
  /** Whether there is a button that shows all. */
  isExpandable?: boolean;
}

export function Standings({ scores, before = [], ownId, isExpandable = false }: StandingsProps) {
  const { t } = useI18n();
  const [isWhole, setWhole] = useState(false);
  const all = rankScores(scores, before);
  const shown = isWhole ? all : leadingAndOwn(all, ownId);
  // The first entry after the ones that are left out.
  const gapAt = shown.findIndex(({ userId }, at) => userId !== all[at]?.userId);
  const behind = pointsBehind(all, ownId);
  return (
    <>
      <h2>{t.standings}</h2>
      <ol class="standings">
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
      {isExpandable && !isWhole && shown.length < all.length && (
        <button type="button" class="secondary" onClick={() => setWhole(true)}>
          {t.showAll(all.length)}
        </button>
      )}
    </>
  );
}
