// An open round on a projector: the question with its options, the time, and how many have answered.
import type { Lobby } from '../../lobby/schema.ts';
import { Listen } from '../effects/listen.tsx';
import type { OpenRound, RoundProgress } from '../game/game-state.ts';
import { GetReady } from '../game/get-ready.tsx';
import { useOpening } from '../game/opening.ts';
import { OptionKey, optionClass } from '../game/option-key.tsx';
import { TimerRing } from '../game/timer-ring.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useLanguageName } from '../words/names.ts';
import { isLong } from './is-long.ts';
import { Scene } from './scene.tsx';

interface StageRoundProps {
  round: OpenRound;
  /** Null unless the user is a host who presents. */
  progress: RoundProgress | null;
  lobby: Lobby;
}

export function StageRound({ round, progress, lobby }: StageRoundProps) {
  const { t } = useI18n();
  const languageName = useLanguageName();
  const { question, countdown } = round;
  const opening = useOpening(round, lobby);
  const { sourceLanguage, targetLanguage } = lobby.settings;
  return (
    <Scene
      name="round"
      isLong={isLong(question)}
      title={t.roundOf(round.number, round.total)}
      aside={
        <>
          {progress && <p class="answered">{t.stage.answered(progress.answered, progress.awaited)}</p>}
          {countdown && <TimerRing countdown={countdown} />}
        </>
      }
    >
      {opening === 'counting' ? (
        <GetReady round={round} lobby={lobby} />
      ) : (
        <>
          <div class="stage-prompt">
            {targetLanguage && <p class="hint">{t.translateInto(languageName(targetLanguage))}</p>}
            <h2 lang={sourceLanguage}>{question.prompt}</h2>
            {question.gloss && (
              <p class="hint" lang={sourceLanguage}>
                {question.gloss}
              </p>
            )}
            <Listen text={question.prompt} lang={sourceLanguage} />
          </div>
          {question.options ? (
            <ol class="stage-options" aria-label={t.answers}>
              {question.options.map(({ optionId, text }) => (
                <li key={optionId} class={optionClass(optionId)}>
                  <OptionKey optionId={optionId} />
                  {opening === 'open' && (
                    <span class="option-text" lang={targetLanguage}>
                      {text}
                    </span>
                  )}
                </li>
              ))}
            </ol>
          ) : (
            <p class="stage-typing">{t.typed.onDevice}</p>
          )}
        </>
      )}
    </Scene>
  );
}
