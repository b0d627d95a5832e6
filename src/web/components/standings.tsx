// Everybody's points in a game.
import type { Score } from '../../match/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { placesOf } from '../standings.ts';

/** Everybody's points, highest first; who has as many shares the place. */
export function Standings({ scores, ownId }: { scores: Score[]; ownId: string }) {
  const { t } = useI18n();
  return (
    <>
      <h2>{t.standings}</h2>
      <ol class="standings">
        {placesOf(scores).map(({ userId, name, score, place }) => (
          <li key={userId} class={userId === ownId ? 'is-own' : undefined}>
            <span class="place">{t.place(place)}</span>
            <span class="name">
              <bdi>{name}</bdi>
              {userId === ownId && <small> ({t.you})</small>}
            </span>
            <span class="points">
              {score}
              <span class="visually-hidden"> {t.pointsInWords(score)}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
