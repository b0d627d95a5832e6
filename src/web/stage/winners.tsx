// The end of a game, for a whole room.
import { outcome, Steps } from '../components/podium.tsx';
import { Standings } from '../components/standings.tsx';
import { useCelebration } from '../effects/celebrate.ts';
import type { GameState } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { Scene } from './scene.tsx';

export function Winners({ state }: { state: GameState }) {
  const { t } = useI18n();
  const { scores, winnerIds } = state;
  useCelebration(scores.some(({ score }) => score > 0));
  const { title, heading } = outcome(t, scores, winnerIds ?? [], '');
  return (
    <Scene name="winners" title={title} heading={heading}>
      <div class="stage-columns">
        <Steps scores={scores} winnerIds={winnerIds ?? []} />
        <div>
          <Standings scores={scores} ownId="" />
        </div>
      </div>
    </Scene>
  );
}
