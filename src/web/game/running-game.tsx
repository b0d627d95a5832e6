// Selects the screen of a game for somebody who plays: a round, its result, or the podium. It is loaded while
// the player is in the waiting room.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { Spinner } from '../ui/spinner.tsx';
import type { ResolvedRound } from './game-state.ts';
import { Podium } from './podium.tsx';
import { Round } from './round.tsx';
import { RoundResult } from './round-result.tsx';

interface RunningGameProps {
  game: LobbyGame;
  lobby: Lobby;
  /** The round whose result is to be shown. */
  result: ResolvedRound | null;
  /** Shows the next round, which is open already. */
  onPass(): void;
  onManage(): void;
}

export function RunningGame(props: RunningGameProps) {
  const { game, lobby, result, onPass, onManage } = props;
  const { t } = useI18n();
  if (result)
    return (
      <RoundResult key={result.number} game={game} lobby={lobby} result={result} onPass={onPass} onManage={onManage} />
    );
  const { round, winnerIds } = game.state;
  if (winnerIds) return <Podium game={game} lobby={lobby} />;
  if (round) return <Round key={round.number} round={round} game={game} lobby={lobby} onManage={onManage} />;
  return <Spinner text={t.judging} />;
}
