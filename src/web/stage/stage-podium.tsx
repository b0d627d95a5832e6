// The end of a game on a projector.
import { useCelebration } from '../effects/use-celebration.ts';
import type { GameState } from '../game/game-state.ts';
import { outcome, PodiumSteps } from '../game/podium.tsx';
import { Standings } from '../game/standings.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Scene } from './scene.tsx';

export function StagePodium({ state }: { state: GameState }) {
  const { t } = useI18n();
  const { scores, winnerIds } = state;
  useCelebration(scores.some(({ score }) => score > 0));
  const { title, heading } = outcome(t, scores, winnerIds ?? [], '');
  return (
    <Scene name="podium" title={title} heading={heading}>
      <div class="stage-columns">
        <PodiumSteps scores={scores} winnerIds={winnerIds ?? []} />
        <div>
          <Standings scores={scores} ownId="" />
        </div>
      </div>
    </Scene>
  );
}
