// The judgement of a typed answer: the answer with its differences marked, and the accepted translations.
// [contract 20]
import type { ComponentChildren } from 'preact';
import type { Verdict } from '../../judging/verdict.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import { alsoRight, type Solution } from './answers.ts';
import { type Piece, plainText, spellingOf } from './spelling.ts';
import './typed.css';

interface TypedResultProps {
  /** What the user has typed; null without an answer, or if it is unknown. */
  text: string | null;
  verdict: Verdict;
  solution: Solution;
  lang: string | undefined;
}

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
export function Marked({ pieces }: { pieces: readonly Piece[] }) {
  return <>{pieces.map(({ text, isDifferent }) => (isDifferent ? <mark>{text}</mark> : text))}</>;
}

interface AlsoRightProps {
  /** As `alsoRight` finds them. */
  texts: readonly string[];
  lang: string | undefined;
}

/** The other accepted translations. */
export function AlsoRight({ texts, lang }: AlsoRightProps) {
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
