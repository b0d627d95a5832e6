// A question: the word to translate, and its options or the field for the answer. The card takes the focus when it
// appears. The keys 1 to 4 choose an option only while the focus is inside. [WCAG 2.1.4]
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Verdict } from '../../judging/verdict.ts';
import { problemOf, tidy } from '../../text.ts';
import type { ANSWER_LENGTH, Question } from '../../vocabulary/schema.ts';
import { Listen } from '../effects/listen.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { AS_TYPED } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice, useFocusWhenShown } from '../ui/page.tsx';
import type { Direction } from '../words/deck-choice.ts';
import { useLanguageName } from '../words/names.ts';
import { type GivenAnswer, rightText, type Solution } from './answers.ts';
import { CoveredOptions, Options } from './options.tsx';
import { TypedResult } from './solution.tsx';
import './typed.css';

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

/** The service's limit. Its type is literal, so that a difference fails to compile. */
const MAX_LENGTH: typeof ANSWER_LENGTH = 120;

/** The answer of somebody who does not know it, which equals nothing. */
const DONT_KNOW = '?';

/** The field takes the focus. Its label is the prompt, so that screen readers read it again. */
export function TypedAnswer({ lang, onAnswer }: { lang: string | undefined; onAnswer(text: string): void }) {
  const { t } = useI18n();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isRefused, setRefused] = useState(false);
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
  }, []);
  // A pasted text may have tabs, which an answer can't have.
  const answer = tidy(text.replace(/\s+/g, ' '), MAX_LENGTH);
  const submit = (event: Event) => {
    event.preventDefault();
    if (answer === '') return;
    const isBad = problemOf(answer, MAX_LENGTH) !== null;
    setRefused(isBad);
    if (!isBad) onAnswer(answer);
  };
  const insert = (letter: string) => {
    const field = input.current;
    if (!field) return;
    const { selectionStart, selectionEnd } = field;
    field.setRangeText(letter, selectionStart ?? 0, selectionEnd ?? 0, 'end');
    field.focus();
    setText(field.value);
  };
  return (
    <form class="typed" onSubmit={submit}>
      <div class="field-row">
        <input
          ref={input}
          type="text"
          name="answer"
          lang={lang}
          dir="auto"
          aria-labelledby="prompt"
          placeholder={t.yourAnswer}
          autocomplete="off"
          {...AS_TYPED}
          enterkeyhint="send"
          maxLength={2 * MAX_LENGTH}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="primary" aria-disabled={answer === ''}>
          {t.typed.send}
        </button>
      </div>
      <LetterKeys lang={lang} onLetter={insert} />
      <Button class="quiet" label={t.typed.dontKnow} onClick={() => onAnswer(DONT_KNOW)} />
      {isRefused && <Notice kind="error">{t.errors.VALIDATION_FAILED}</Notice>}
    </form>
  );
}

function LetterKeys({ lang, onLetter }: { lang: string | undefined; onLetter(letter: string): void }) {
  const { t } = useI18n();
  const letters = [...(LETTERS.get(lang ?? '') ?? '')];
  if (letters.length === 0) return null;
  return (
    <fieldset class="letters row" aria-label={t.typed.letters} lang={lang}>
      {letters.map((letter) => (
        <button
          key={letter}
          type="button"
          // The field keeps the focus, and a phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onLetter(letter)}
        >
          {letter}
        </button>
      ))}
    </fieldset>
  );
}

/** The place of the field before it appears, so that the screen does not jump. */
export function CoveredField() {
  return <div class="option option-covered" aria-hidden="true" />;
}

/** The answer that was sent and is not judged yet. */
export function SentText({ text, lang }: { text: string; lang: string | undefined }) {
  const { t } = useI18n();
  return (
    <p class="option option-locked">
      <span class="key" aria-hidden="true">
        <Icon name="lock" />
      </span>
      <span class="visually-hidden">{t.yourAnswer}: </span>
      <bdi lang={lang}>{text}</bdi>
    </p>
  );
}

/**
 * The letters of languages that many keyboards lack, for the keys below a typed answer: behind each ISO 639-1 code those of
 * CLDR's exemplar sets beyond a to z. Upper case is not needed, since answers are compared without it. [contract 20]
 */
const LETTERS = new Map(
  `af áäéèêëíîïóôöúûü, ca àçéèíïóòúü·, cs áčďéěíňóřšťúůýž, cy âêîôûŵŷ, da æøå, de äöüß, eo ĉĝĥĵŝŭ, es áéíóúüñ¿¡,
  et äõöüšž, eu ñç, fi äöå, fo áæðíóøúý, fr àâæçéèêëîïôœùûüÿ, ga áéíóú, gl áéíóúüñ, hr čćđšž, hu áéíóöőúüű,
  is áæðéíóöúýþ, it àèéìòù, lb äéë, lt ąčęėįšųūž, lv āčēģīķļņšūž, mt ċġħż, nb æøå, nl áéëïóöúü, nn æøå, no æøå,
  pl ąćęłńóśźż, pt áàâãçéêíóôõú, ro ăâîșț, sk áäčďéíľĺňóôŕšťúýž, sl čšž, sq çë, sv äöå, tr âçğıîöşüû`
    .split(/,\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
);
