// How a round ended. It has a time of its own, in which nothing else runs; in a game without
// intermissions the next round's time is running already, and whoever is in a hurry goes on at once.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { announce } from '../announce.tsx';
import { effect } from '../effects/effects.ts';
import type { ResolvedRound } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { UNTIL_HOST_MS } from '../lobby-choices.ts';
import { optionText } from '../option-text.ts';
import { useUser } from '../session.tsx';
import { useHostName } from '../use-host-role.ts';
import type { LobbyGame } from '../use-lobby.ts';
import { HostBar } from './host-bar.tsx';
import { LeaveButton } from './leave-button.tsx';
import { Named } from './named.tsx';
import { OptionBars } from './option-bars.tsx';
import { OwnResult } from './own-result.tsx';
import { Page } from './page.tsx';
import { Seal } from './seal.tsx';
import { Standings } from './standings.tsx';
import { TimeBar } from './time-bar.tsx';
import { TimerRing } from './timer-ring.tsx';

interface RoundResultProps {
  game: LobbyGame;
  lobby: Lobby;
  result: ResolvedRound;
  /** Goes on alone, where the next round is open already. */
  onPass(): void;
  onManage(): void;
}

export function RoundResult(props: RoundResultProps) {
  const { game, lobby, result } = props;
  const { t } = useI18n();
  const user = useUser();
  useVerdict(result, user.id);
  return (
    <Page
      title={t.roundResult(result.number)}
      width="wide"
      isGame
      aside={<LeaveButton game={game} consequence={t.leaveRunning} />}
    >
      <div class="columns columns-game">
        <section class="question" aria-label={t.lastRoundResult}>
          <OwnResult state={game.state} lobby={lobby} result={result} />
          <GoOn {...props} />
          {result.question && <Seal isOpened />}
        </section>
        <aside class="card third">
          <OptionBars result={result} lobby={lobby} ownId={user.id} />
          <Standings
            scores={game.state.scores}
            before={game.state.scoresBefore}
            ownId={user.id}
            isExpandable
          />
        </aside>
      </div>
    </Page>
  );
}

/** Says to those who don't see it how the round went for them. */
function useVerdict({ question, correctOptionId, answers }: ResolvedRound, ownId: string): void {
  const { t } = useI18n();
  const own = answers.find(({ userId }) => userId === ownId);
  const right = question ? optionText(question, correctOptionId) : '';
  const verdict = own?.isCorrect ? t.right : own ? t.wrong(right) : right;
  useEffect(() => announce(verdict), [verdict]);
  useEffect(() => {
    if (own) effect(own.isCorrect ? 'right' : 'wrong');
  }, []);
}

/** The way on: how long it takes, and who can shorten it. */
function GoOn({ game, lobby, result, onPass, onManage }: RoundResultProps) {
  const { t } = useI18n();
  const user = useUser();
  const hostName = useHostName(lobby);
  const { round, intermission } = game.state;
  const next = result.isLast ? t.toPodium : t.nextRound;
  if (!intermission) {
    return (
      <div class="go-on">
        {round?.countdown && <TimerRing countdown={round.countdown} />}
        <button type="button" class="primary" onClick={onPass}>
          {next}
        </button>
      </div>
    );
  }
  return (
    <div class="go-on">
      {lobby.settings.intermissionMs !== UNTIL_HOST_MS ? (
        <TimeBar countdown={intermission} text={result.isLast ? t.podiumIn : t.nextIn} />
      ) : (
        lobby.hostId !== user.id && (
          <p class="hint">
            <Named text={t.hostGoesOn} names={[hostName]} />
          </p>
        )
      )}
      <HostBar
        lobby={lobby}
        text={next}
        isMain
        onNext={() => game.host.next(result.number, 'intermission')}
        onManage={onManage}
      />
    </div>
  );
}
