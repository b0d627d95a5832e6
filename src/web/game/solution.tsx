// The right answer beside the given one, as all screens of results show them, with the seal of its commitment.
import type { ComponentChildren } from 'preact';
import type { Verdict } from '../../judging/verdict.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Direction } from '../words/deck-choice.ts';
import { alsoRight, type Solution as RightAnswer, rightText } from './answers.ts';
import { type Piece, plainText, spellingOf } from './spelling.ts';
import './typed.css';
import type { MissedWord } from '../quiz/quiz-state.ts';

interface SolutionProps {
  question: Question;
  solution: RightAnswer;
  direction: Direction;
}

export function Solution({ question, solution, direction }: SolutionProps) {
  return (
    <>
      <span lang={direction.sourceLanguage}>{question.prompt}</span>
      <span aria-hidden="true"> = </span>
      <span class="visually-hidden">: </span>
      <strong lang={direction.targetLanguage}>{rightText(question, solution)}</strong>
    </>
  );
}

interface TypedResultProps {
  /** What the user has typed; null without an answer, or if it is unknown. */
  text: string | null;
  verdict: Verdict;
  solution: RightAnswer;
  lang: string | undefined;
}

/**
 * The judgement of a typed answer: the answer with its differences marked, and the accepted translations. [contract 20]
 */
export function TypedResult({ text, verdict, solution, lang }: TypedResultProps) {
  const { correctText = '', accepted = [correctText] } = solution;
  // Without the text, only the right answer can be shown.
  const shownAs = text === null ? 'wrong' : verdict;
  const [given, right] = spellingOf(text ?? '', shownAs === 'close' ? accepted : [], lang);
  const shown = shownAs === 'right' ? text : shownAs === 'close' ? plainText(right) : correctText;
  return (
    <div class="typed-result">
      {text !== null && (
        <Answer isRight={verdict !== 'wrong'} lang={lang} isOwn>
          <Marked pieces={given} />
        </Answer>
      )}
      {shownAs === 'close' && (
        <Answer isRight lang={lang}>
          <Marked pieces={right} />
        </Answer>
      )}
      {shownAs === 'wrong' && (
        <Answer isRight lang={lang}>
          {correctText}
        </Answer>
      )}
      <AlsoRight texts={alsoRight(solution, shown ?? '')} lang={lang} />
    </div>
  );
}

interface AnswerProps {
  isRight: boolean;
  isOwn?: boolean;
  lang: string | undefined;
  children: ComponentChildren;
}

function Answer({ isRight, isOwn = false, lang, children }: AnswerProps) {
  const { t } = useI18n();
  return (
    <p class={`option option-${isRight ? 'right' : 'wrong'}`}>
      <span class="key" aria-hidden="true">
        <Icon name={isRight ? 'check' : 'cross'} />
      </span>
      <span>
        <small class="hint">{isOwn ? t.yourAnswer : t.rightAnswer}</small>{' '}
        <span class="typed-text" lang={lang} dir="auto">
          {children}
        </span>
      </span>
    </p>
  );
}

/** The marks are underlined as well as coloured. */
function Marked({ pieces }: { pieces: readonly Piece[] }) {
  return <>{pieces.map(({ text, isDifferent }) => (isDifferent ? <mark>{text}</mark> : text))}</>;
}

/** The other accepted translations. */
export function AlsoRight({ texts, lang }: { texts: readonly string[]; lang: string | undefined }) {
  const { t } = useI18n();
  if (texts.length === 0) return null;
  return (
    <p class="hint also-right">
      {t.typed.alsoRight}{' '}
      {texts.map((text, at) => (
        <>
          {at > 0 && ' · '}
          <bdi lang={lang}>{text}</bdi>
        </>
      ))}
    </p>
  );
}

/** Browsers compute hashes only over https and on localhost. Elsewhere there is no seal. */
const CAN_CHECK = crypto.subtle !== undefined;

/**
 * Shows players that the service has committed itself to the right answer. The client library checks the commitment
 * before a result is shown. [contract 12] Belongs beside right answers, which are shown only if they fit their
 * commitments.
 */
export function Seal() {
  const { t } = useI18n();
  if (!CAN_CHECK) return null;
  return (
    <p class="seal hint">
      <Icon name="seal" /> {t.seal.more}
    </p>
  );
}

/** The missed words, each with its right answer and the answer that was given. */
export function MissedWords({ words, sourceLanguage, targetLanguage }: Direction & { words: MissedWord[] }) {
  const { t } = useI18n();
  return (
    <ul class="missed ruled">
      {words.map(({ prompt, gloss, correct, also, chosen }) => (
        <li key={`${prompt} ${gloss}`}>
          <span class="missed-prompt" lang={sourceLanguage} dir="auto">
            {prompt}
            {gloss && <small>{gloss}</small>}
          </span>
          <span>
            <strong lang={targetLanguage} dir="auto">
              {correct}
            </strong>
            <AlsoRight texts={also} lang={targetLanguage} />
            {chosen !== '' && <small translate={false}>{chosen === null ? t.noAnswer : t.youSaid(chosen)}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}
