// A question of a quiz, from the click to the verdict.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { checkCommitment } from '../../client/commitment.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { client } from '../api.ts';
import { playEffect } from '../effects/effects.tsx';
import { type GivenAnswer, headlineOf, rightText, verdictText } from '../game/answers.ts';
import { QuestionCard } from '../game/question-card.tsx';
import { meantText } from '../game/spelling.ts';
import { useI18n } from '../i18n/index.tsx';
import { noteAnswer } from '../progress/use-progress.ts';
import { announce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/page.tsx';
import { randomInt } from '../ui/random.ts';
import { retry } from '../ui/retry.ts';
import { judgeLocally, repeatMissed } from './practice.ts';
import {
  givenIn,
  type Judgement,
  missedQuestions,
  nextQuestion,
  type Quiz,
  verdictAt,
  withLostVerdict,
  withVerdict,
} from './quiz-state.ts';

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
      {trouble?.isFinal && <Button class="primary" label={t.otherWords} onClick={onExpired} />}
      {verdict && (
        <div class={`verdict row apart verdict-${result ? (result.isCorrect ? 'right' : 'wrong') : 'lost'}`}>
          <p translate={false}>
            {!result
              ? t.resultLost
              : question.answerMode === 'typed'
                ? headlineOf(t, result)
                : verdictText(t, result, rightText(question, result))}
          </p>
          {isLast && missed > 0 ? (
            <div class="actions">
              <NextButton text={t.askMissed(missed)} onNext={() => onChange(repeatMissed(quiz, randomInt))} />
              <Button label={t.seeResult} onClick={() => onChange(nextQuestion(quiz))} />
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

/** The error codes after which the quiz can't go on. */
const FINAL: ReadonlySet<string> = new Set(['SESSION_NOT_FOUND', 'ASSIGNMENT_CLOSED', 'COMMITMENT_BROKEN']);

/**
 * Sends the answer to a quiz's question. While the network is away, it is sent again and again; the service counts it
 * once.
 * @returns the answer that was sent, why the answer is not judged, and a function that sends an answer
 */
function useQuizAnswer(question: Question, quiz: Quiz, onChange: (quiz: Quiz) => void) {
  const { t, explain } = useI18n();
  const [sent, setSent] = useState<GivenAnswer | null>(null);
  const [trouble, setTrouble] = useState<{ text: string; isFinal: boolean } | null>(null);
  const unmounted = useRef(new AbortController());
  useEffect(() => () => unmounted.current.abort(), []);

  /** Retries until the service has judged. Practice is judged here. */
  async function judge(given: GivenAnswer, onWaiting: () => void): Promise<Judgement> {
    if (quiz.practice) return judgeLocally(quiz, given);
    const { questionId } = question;
    const { sessionId } = quiz.session;
    const request = () => client.answerQuestion({ sessionId, questionId, ...given });
    const result = await retry(request, { signal: unmounted.current.signal, onWaiting });
    // The client library checks only questions that it has seen; after a reload it has seen none.
    await checkCommitment(question.commitment, result);
    return result;
  }

  async function answer(given: GivenAnswer): Promise<void> {
    setSent(given);
    setTrouble(null);
    let isRepeated = false;
    try {
      const judgement = await judge(given, () => {
        isRepeated = true;
        setTrouble({ text: t.offline, isFinal: false });
      });
      setTrouble(null);
      if (!quiz.practice) noteAnswer();
      announce(verdictText(t, judgement, meantText(question, judgement, given)));
      playEffect(judgement.isCorrect ? 'right' : 'wrong');
      onChange(withVerdict(quiz, judgement));
    } catch (thrown) {
      if (isCounted(thrown, isRepeated, quiz)) {
        setTrouble(null);
        onChange(withLostVerdict(quiz));
      } else {
        const code = thrown instanceof ApiError ? thrown.code : '';
        const text = code === 'SESSION_NOT_FOUND' ? t.quizExpired : explain(thrown);
        setTrouble({ text, isFinal: FINAL.has(code) });
        setSent(null);
      }
    }
  }

  return { sent, trouble, answer };
}

/** @returns whether a refusal means that this answer, or one from another window, has been counted */
function isCounted(thrown: unknown, isRepeated: boolean, { session, at }: Quiz): boolean {
  if (!(thrown instanceof ApiError)) return false;
  if (thrown.code === 'QUESTION_ALREADY_ANSWERED') return true;
  // [contract 3: the last answer deletes the session]
  const isLast = at === session.questions.length - 1;
  return thrown.code === 'SESSION_NOT_FOUND' && isRepeated && isLast;
}
