// The opening of a round: before the first question a count of 3, 2, 1, then the prompt alone, so that all can read it,
// then the options. [contract 22]
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { useI18n } from '../i18n/index.tsx';
import { announce } from '../ui/announce.tsx';
import { useIsBefore, useNow } from '../ui/use-now.ts';
import type { OpenRound } from './game-state.ts';

type Opening = 'counting' | 'reading' | 'open';

/** Tells screen readers when a question that had to be read first can be answered. */
export function useOpening({ opensAtMs }: OpenRound, { settings }: Lobby): Opening {
  const { t } = useI18n();
  const promptAtMs = (opensAtMs ?? 0) - settings.readMs;
  const isCounting = useIsBefore(promptAtMs);
  const isReading = useIsBefore(opensAtMs ?? 0) || opensAtMs === null;
  useEffect(() => {
    if (!isReading && settings.readMs > 0) announce(t.answers);
  }, [isReading]);
  if (isCounting) return 'counting';
  return isReading ? 'reading' : 'open';
}

const TICK_MS = 100;

/** The count of 3, 2, 1 before the first question. */
export function GetReady({ round, lobby }: { round: OpenRound; lobby: Lobby }) {
  const { t } = useI18n();
  const nowMs = useNow(TICK_MS);
  const leftMs = (round.opensAtMs ?? 0) - lobby.settings.readMs - nowMs;
  const count = Math.max(1, Math.ceil(leftMs / 1000));
  useEffect(() => playEffect('tick'), [count]);
  return (
    <div class="get-ready">
      <p role="status">{t.getReady}</p>
      {/* A new key lets the animation begin anew. */}
      <strong key={count} aria-hidden="true" translate={false}>
        {count}
      </strong>
    </div>
  );
}
