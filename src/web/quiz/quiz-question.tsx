// A question of a quiz, from the click to the verdict.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Question } from '../../vocabulary/schema.ts';
import { rightText } from '../game/answers.ts';
import { QuestionCard } from '../game/question-card.tsx';
import { headlineOf, verdictText } from '../game/verdict-text.ts';
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import { randomInt } from '../ui/random.ts';
import { repeatMissed } from './practice.ts';
import { givenIn, missedQuestions, nextQuestion, type Quiz, verdictAt } from './quiz-state.ts';
import { useQuizAnswer } from './use-quiz-answer.ts';

interface QuizQuestionProps {
  question: Question;
  quiz: Quiz;
  onChange(quiz: Quiz): void;
  /** Called when the user leaves a quiz that can't go on. */
  onExpired(): void;
}

export function QuizQuestion({ question, quiz, onChange, onExpired }: QuizQuestionProps) {
  const { t } = useI18n();
  const { sent, trouble, answer } = useQuizAnswer(question, quiz, onChange);
  const verdict = verdictAt(quiz);
  const result = verdict === 'lost' ? null : verdict;
  const isLast = quiz.at === quiz.session.questions.length - 1;
  const missed = quiz.practice ? 0 : missedQuestions(quiz).length;
  return (
    <QuestionCard
      question={question}
      deck={quiz.settings}
      isOpen={!verdict && sent === null}
      given={result ? givenIn(result) : sent}
      judged={result}
      onAnswer={(given) => void answer(given)}
    >
      {trouble && <Notice kind={trouble.isFinal ? 'error' : 'info'}>{trouble.text}</Notice>}
      {trouble?.isFinal && (
        <button type="button" class="primary" onClick={onExpired}>
          {t.otherWords}
        </button>
      )}
      {verdict && (
        <div class={`verdict verdict-${result ? (result.isCorrect ? 'right' : 'wrong') : 'lost'}`}>
          <p>
            {!result
              ? t.resultLost
              : question.answerMode === 'typed'
                ? headlineOf(t, result)
                : verdictText(t, result, rightText(question, result))}
          </p>
          {isLast && missed > 0 ? (
            <div class="actions">
              <NextButton text={t.askMissed(missed)} onNext={() => onChange(repeatMissed(quiz, randomInt))} />
              <button type="button" class="secondary" onClick={() => onChange(nextQuestion(quiz))}>
                {t.seeResult}
              </button>
            </div>
          ) : (
            <NextButton text={isLast ? t.seeResult : t.next} onNext={() => onChange(nextQuestion(quiz))} />
          )}
        </div>
      )}
    </QuestionCard>
  );
}

/** The button takes the focus, so that Enter goes on. */
function NextButton({ text, onNext }: { text: string; onNext(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <button ref={button} type="button" class="primary" onClick={onNext}>
      {text}
    </button>
  );
}
