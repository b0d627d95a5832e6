// The points in a game, highest first; who has as many shares the place. Who leads is named, and who
// stands beside oneself: everybody else only where that is asked for.
import { useState } from 'preact/hooks';
import type { Score } from '../../match/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { leadingAndOwn, placesOf, pointsBehind } from '../standings.ts';
import { Climb } from './own-result.tsx';

interface StandingsProps {
  scores: Score[];
  /** As they were a round ago, where moves are to be seen. */
  before?: Score[];
  ownId: string;
  /** Whether all can be shown. */
  isExpandable?: boolean;
}

export function Standings({ scores, before = [], ownId, isExpandable = false }: StandingsProps) {
  const { t } = useI18n();
  const [isWhole, setWhole] = useState(false);
  const all = placesOf(scores, before);
  const shown = isWhole ? all : leadingAndOwn(all, ownId);
  // From there on some are left out before.
  const gapAt = shown.findIndex(({ userId }, at) => userId !== all[at]?.userId);
  const behind = pointsBehind(all, ownId);
  return (
    <>
      <h2>{t.standings}</h2>
      <ol class="standings">
        {shown.map(({ userId, name, score, place, climbed }, at) => (
          <li
            key={userId}
            class={`${userId === ownId ? 'is-own' : ''} ${at === gapAt ? 'is-after-gap' : ''}`}
          >
            <span class="place">{t.place(place)}</span>
            <span class="name">
              <bdi>{name}</bdi>
              {userId === ownId && <small> ({t.you})</small>}
            </span>
            <Climb climbed={climbed} />
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
