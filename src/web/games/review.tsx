// Shows what a teacher wants to know after a game: which words to teach again, and who needs help. Names are folded, since
// the class may see the screen.
import type { ComponentChildren } from 'preact';
import type { GameResult } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';
import { type AnswerGroup, byPlayer, byWord, hardestFirst, mostSaid } from './game-answers.ts';

/** The number of words that are shown. */
const HARDEST = 5;
/** Who has a smaller share of right answers needs help. */
const HELP_BELOW = 0.5;

interface ReviewProps {
  game: GameResult;
  /** Shown below who needs help. */
  children: ComponentChildren;
}

export function Review({ game, children }: ReviewProps) {
  const { t } = useI18n();
  const { sourceLanguage, targetLanguage } = game.settings;
  const words = hardestFirst(byWord(game)).slice(0, HARDEST);
  const weak = hardestFirst(byPlayer(game)).filter(({ correct, answers }) => correct < HELP_BELOW * answers.length);
  return (
    <div class="columns">
      <section class="card" aria-labelledby="hardest">
        <h2 id="hardest">{t.games.hardest}</h2>
        <ul class="hardest ruled">
          {words.map((group) => (
            <li key={group.key}>
              <span>
                <bdi lang={sourceLanguage}>{group.title}</bdi> <strong lang={targetLanguage}>{group.note}</strong>
              </span>
              <Share group={group} />
              <OftenSaid group={group} />
            </li>
          ))}
        </ul>
      </section>
      <div class="stack">
        <section class="card" aria-labelledby="help">
          <h2 id="help">{t.games.help}</h2>
          {weak.length === 0 ? (
            <p>{t.games.helpNobody}</p>
          ) : (
            <details>
              <summary>{t.games.helpMore(weak.length)}</summary>
              <ul class="hardest ruled">
                {weak.map((group) => (
                  <li key={group.key}>
                    <bdi>{group.title}</bdi>
                    <Share group={group} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </section>
        {children}
      </div>
    </div>
  );
}

function Share({ group: { correct, answers } }: { group: AnswerGroup }) {
  const { t } = useI18n();
  return (
    <>
      <small class="hint">{t.quizScore(correct, answers.length)}</small>
      <progress aria-hidden="true" max={Math.max(1, answers.length)} value={correct} />
    </>
  );
}

function OftenSaid({ group }: { group: AnswerGroup }) {
  const { t } = useI18n();
  const said = mostSaid(group);
  if (!said) return null;
  return <small class="hint">{t.games.often(said)}</small>;
}
