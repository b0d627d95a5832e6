// One question of a quiz for one, from the click to the verdict. Without a network the answer waits
// and is sent when there is one; the service counts it once, however often it is sent.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { checkCommitment } from '../../client/commitment.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { announce } from '../announce.tsx';
import { client } from '../api.ts';
import { effect } from '../effects/effects.ts';
import { useI18n } from '../i18n/index.tsx';
import { optionText } from '../option-text.ts';
import { persist } from '../persist.ts';
import { judgeHere } from '../practice.ts';
import { goOn, type Judgement, judged, lost, type Quiz, verdictAt } from '../quiz-state.ts';
import { noteAnswer } from '../use-progress.ts';
import { Notice } from './notice.tsx';
import { QuestionCard } from './question-card.tsx';

/** After these there is no going on. */
const FINAL: ReadonlySet<string> = new Set(['SESSION_NOT_FOUND', 'COMMITMENT_BROKEN']);

interface QuizQuestionProps {
  question: Question;
  quiz: Quiz;
  onChange(quiz: Quiz): void;
  /** The service has forgotten this quiz. */
  onExpired(): void;
}

export function QuizQuestion({ question, quiz, onChange, onExpired }: QuizQuestionProps) {
  const { t, explain } = useI18n();
  const [sent, setSent] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<{ text: string; isFinal: boolean } | null>(null);
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);

  const { sessionId } = quiz.session;
  const verdict = verdictAt(quiz);
  const result = verdict === 'lost' ? null : verdict;

  /** Asks the service until it has judged, or judges what is only practised. */
  async function judge(optionId: number, onWaiting: () => void): Promise<Judgement> {
    if (quiz.practice) return judgeHere(quiz, optionId);
    const { questionId } = question;
    const ask = () => client.answerQuestion({ sessionId, questionId, optionId });
    const result = await persist(ask, { signal: left.current.signal, onWaiting });
    // The library has seen no question of before a reload.
    await checkCommitment(question.commitment, result);
    return result;
  }

  async function answer(optionId: number): Promise<void> {
    setSent(optionId);
    setTrouble(null);
    let isRepeated = false;
    try {
      const judgement = await judge(optionId, () => {
        isRepeated = true;
        setTrouble({ text: t.offline, isFinal: false });
      });
      setTrouble(null);
      if (!quiz.practice) noteAnswer();
      announce(
        judgement.isCorrect ? t.right : t.wrong(optionText(question, judgement.correctOptionId)),
      );
      effect(judgement.isCorrect ? 'right' : 'wrong');
      onChange(judged(quiz, judgement));
    } catch (thrown) {
      if (isCounted(thrown, isRepeated, quiz)) {
        setTrouble(null);
        onChange(lost(quiz));
      } else {
        const code = thrown instanceof ApiError ? thrown.code : '';
        const text = code === 'SESSION_NOT_FOUND' ? t.quizExpired : explain(thrown);
        setTrouble({ text, isFinal: FINAL.has(code) });
        setSent(null);
      }
    }
  }

  const isLast = quiz.at === quiz.session.questions.length - 1;
  return (
    <QuestionCard
      question={question}
      deck={quiz.settings}
      isOpen={!verdict && sent === null}
      selected={result?.selectedOptionId ?? sent}
      correct={result?.correctOptionId ?? null}
      isSealed={!quiz.practice}
      onChoose={(optionId) => void answer(optionId)}
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
              : result.isCorrect
                ? t.right
                : t.wrong(optionText(question, result.correctOptionId))}
          </p>
          <NextButton text={isLast ? t.seeResult : t.next} onNext={() => onChange(goOn(quiz))} />
        </div>
      )}
    </QuestionCard>
  );
}

/** Takes the focus: Enter goes on. */
function NextButton({ text, onNext }: { text: string; onNext(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return (
    <button ref={button} type="button" class="primary" onClick={onNext}>
      {text}
    </button>
  );
}

/** Whether a refusal says that this answer, or another one from another window, counted already. */
function isCounted(thrown: unknown, isRepeated: boolean, { session, at }: Quiz): boolean {
  if (!(thrown instanceof ApiError)) return false;
  if (thrown.code === 'QUESTION_ALREADY_ANSWERED') return true;
  // [contract 3: the last answer deletes the session]
  const isLast = at === session.questions.length - 1;
  return thrown.code === 'SESSION_NOT_FOUND' && isRepeated && isLast;
}
