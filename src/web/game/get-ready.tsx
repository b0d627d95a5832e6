// The count of 3, 2, 1 before the first question.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useNow } from '../ui/use-now.ts';
import type { OpenRound } from './game-state.ts';

const TICK_MS = 100;

interface GetReadyProps {
  round: OpenRound;
  lobby: Lobby;
}

export function GetReady({ round, lobby }: GetReadyProps) {
  const { t } = useI18n();
  const nowMs = useNow(TICK_MS);
  const leftMs = (round.opensAtMs ?? 0) - lobby.settings.readMs - nowMs;
  const count = Math.max(1, Math.ceil(leftMs / 1000));
  useEffect(() => playEffect('tick'), [count]);
  return (
    <div class="get-ready">
      <p role="status">{t.getReady}</p>
      {/* A new key lets the animation begin anew. */}
      <strong key={count} aria-hidden="true">
        {count}
      </strong>
    </div>
  );
}
