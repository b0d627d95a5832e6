// The end of a game on a projector.
import { useCelebration } from '../effects/use-celebration.ts';
import type { GameState } from '../game/game-state.ts';
import { outcome, PodiumSteps, podiumOf } from '../game/podium.tsx';
import { Standings } from '../game/standings.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Scene } from './scene.tsx';

export function StagePodium({ state }: { state: GameState }) {
  const { t } = useI18n();
  const { scores, winnerIds } = state;
  const steps = podiumOf(scores);
  useCelebration(
    scores.some(({ score }) => score > 0),
    steps.map(({ place }) => place),
  );
  const { title, heading } = outcome(t, scores, winnerIds ?? [], '');
  return (
    <Scene name="podium" title={title} heading={heading}>
      <div class="stage-columns">
        <PodiumSteps steps={steps} winnerIds={winnerIds ?? []} />
        <div>
          <Standings scores={scores} ownId="" />
        </div>
      </div>
    </Scene>
  );
}
