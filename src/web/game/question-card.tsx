// A question: the word to translate, and its options or the field for the answer. The card takes the focus when it
// appears. The keys 1 to 4 choose an option only while the focus is inside. [WCAG 2.1.4]
import type { ComponentChildren } from 'preact';
import type { Verdict } from '../../judging/verdict.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { Listen } from '../effects/listen.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useFocusWhenShown } from '../ui/page.tsx';
import type { Direction } from '../words/deck-choice.ts';
import { useLanguageName } from '../words/names.ts';
import { type GivenAnswer, rightText, type Solution } from './answers.ts';
import { CoveredOptions, Options } from './options.tsx';
import { TypedResult } from './solution.tsx';
import { CoveredField, SentText, TypedAnswer } from './typed-answer.tsx';

interface QuestionCardProps {
  question: Question;
  deck: Direction;
  /** Whether the question is to be read before it can be answered. */
  isReading?: boolean;
  isOpen: boolean;
  /** The user's answer; null until it is given. */
  given: GivenAnswer | null;
  /** The judgement; null until it is known. */
  judged: Judged | null;
  onAnswer(given: GivenAnswer): void;
  /** Shown below the answer. */
  children?: ComponentChildren;
}

/** A judgement, as far as the card shows it. */
type Judged = Solution & { verdict?: Verdict | undefined };

/** The question's id must be the `key`, so that each question gets a new card. */
export function QuestionCard(props: QuestionCardProps) {
  const { question, deck, isReading = false, judged, children } = props;
  const isOpen = props.isOpen && !isReading;
  const { t } = useI18n();
  const languageName = useLanguageName();
  const heading = useFocusWhenShown();
  const { sourceLanguage, targetLanguage } = deck;
  return (
    <section
      class="question stack"
      aria-labelledby="prompt"
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !isOpen) return;
        const option = question.options?.[Number(event.key) - 1];
        if (option) props.onAnswer({ optionId: option.optionId });
      }}
    >
      <div class="prompt">
        {targetLanguage && <p class="hint">{t.translateInto(languageName(targetLanguage))}</p>}
        <h2 id="prompt" ref={heading} tabIndex={-1}>
          <span lang={sourceLanguage} dir="auto">
            {question.prompt}
          </span>
          {question.gloss && (
            <small lang={sourceLanguage}>
              <span class="visually-hidden">, </span>
              {question.gloss}
            </small>
          )}
        </h2>
        {!judged && <Listen text={question.prompt} lang={sourceLanguage} />}
        {judged && <Listen text={rightText(question, judged)} lang={targetLanguage} />}
      </div>
      <AnswerArea {...props} isOpen={isOpen} isReading={isReading} />
      {children}
    </section>
  );
}

function AnswerArea(props: QuestionCardProps) {
  const { question, deck, isReading, isOpen, given, judged, onAnswer } = props;
  const lang = deck.targetLanguage;
  if (question.answerMode !== 'typed') {
    if (isReading) return <CoveredOptions question={question} />;
    return (
      <Options
        question={question}
        lang={lang}
        isOpen={isOpen}
        selected={given && 'optionId' in given ? given.optionId : null}
        correct={judged?.correctOptionId ?? null}
        onChoose={(optionId) => onAnswer({ optionId })}
      />
    );
  }
  const text = given && 'text' in given ? given.text : null;
  if (judged?.verdict) return <TypedResult text={text} verdict={judged.verdict} solution={judged} lang={lang} />;
  if (isReading) return <CoveredField />;
  if (text !== null) return <SentText text={text} lang={lang} />;
  return isOpen ? <TypedAnswer lang={lang} onAnswer={(typed) => onAnswer({ text: typed })} /> : null;
}
