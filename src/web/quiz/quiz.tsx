// The screen of a quiz: one question after the other, then the result.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../client/api-error.ts';
import { checkCommitment } from '../../client/commitment.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { client } from '../api.ts';
import { playEffect } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { type GivenAnswer, headlineOf, rightText, verdictText } from '../game/answers.ts';
import { GuestOffer } from '../game/guest-offer.tsx';
import { QuestionCard } from '../game/question-card.tsx';
import { MissedWords, Seal } from '../game/solution.tsx';
import { meantText } from '../game/spelling.ts';
import { useI18n } from '../i18n/index.tsx';
import { savedQuiz, saveQuiz } from '../lobby/saved-games.ts';
import { noteAnswer } from '../progress/use-progress.ts';
import { ActionButton, Button, ButtonLink, ConfirmButton } from '../ui/button.tsx';
import { announce, Notice, Page } from '../ui/page.tsx';
import { retry } from '../ui/retry.ts';
import { requestQuiz } from './due-words.tsx';
import { judgeLocally, practise, repeatMissed } from './practice.ts';
import {
  givenIn,
  type Judgement,
  missedQuestions,
  missedWord,
  nextQuestion,
  partOf,
  type Quiz,
  questionAt,
  verdictAt,
  withLostVerdict,
  withPart,
  withVerdict,
} from './quiz-state.ts';

export function QuizScreen() {
  const { t } = useI18n();
  const user = useUser();
  const [quiz, setQuiz] = useState(() => savedQuiz(user.id));
  useEffect(() => {
    if (!quiz) navigate('/', { replace: true });
  }, [quiz]);
  if (!quiz) return null;

  const update = (next: Quiz) => {
    saveQuiz(user.id, next);
    setQuiz(next);
  };
  const quit = () => {
    saveQuiz(user.id, null);
    navigate(quiz.homework ? `/homework/${quiz.homework}` : '/');
  };
  const part = partOf(quiz);
  const question = questionAt(part);
  if (!question) return <QuizResult quiz={quiz} onRestarted={update} />;
  const { at, session } = part;
  const isRepetition = part !== quiz;
  const { repetition: _skipped, ...withoutRepetition } = quiz;
  const title = t.questionOf(at + 1, session.questions.length);
  return (
    <Page
      title={isRepetition ? `${t.onceMore} · ${title}` : title}
      isTitleHidden
      isGame
      aside={
        <div class="game-head">
          <QuizProgress quiz={part} title={isRepetition ? t.onceMore : title} />
          {isRepetition ? (
            <Button class="quiet" label={t.seeResult} onClick={() => update(withoutRepetition)} />
          ) : (
            <ConfirmButton
              label={t.quitQuiz}
              question={t.quitQuizAsk}
              consequence={t.quitQuizMore}
              stay={t.continueQuiz}
              // The service keeps the answers of homework.
              isAsked={() => !quiz.homework}
              action={quit}
            />
          )}
        </div>
      }
    >
      <QuizQuestion
        key={`${isRepetition} ${question.questionId}`}
        question={question}
        quiz={part}
        onChange={(next) => update(withPart(quiz, next))}
        onExpired={quit}
      />
    </Page>
  );
}

function QuizProgress({ quiz, title }: { quiz: Quiz; title: string }) {
  const { t } = useI18n();
  const { verdicts, correct, session } = quiz;
  return (
    <div class="progress">
      <div class="progress-text row apart" translate={false}>
        <span>{title}</span>
        <span>{t.scoreSoFar(correct, verdicts.length)}</span>
      </div>
      <ol class="dots" aria-hidden="true">
        {session.questions.map(({ questionId }, index) => (
          <li key={questionId} class={dotOf(quiz, index)} />
        ))}
      </ol>
    </div>
  );
}

function dotOf({ verdicts, at }: Quiz, index: number): string {
  const verdict = verdicts[index];
  if (verdict === 'lost') return 'dot-lost';
  if (verdict) return verdict.isCorrect ? 'dot-right' : 'dot-wrong';
  return index === at ? 'dot-now' : 'dot-next';
}

/** The share of right answers from which the result is praised. */
const GOOD_SHARE = 0.7;

/** The end of a quiz: the score and the missed words. */
function QuizResult({ quiz, onRestarted }: { quiz: Quiz; onRestarted(quiz: Quiz): void }) {
  const { t } = useI18n();
  const total = quiz.session.questions.length;
  const missed = missedQuestions(quiz);
  const { practice, repetition, settings, homework } = quiz;
  // What was known the second time needs no third.
  const unknown = repetition ? missedQuestions(repetition) : missed;
  const share = quiz.correct / total;
  const praise = share >= GOOD_SHARE ? t.quizGood : t.quizMore;
  return (
    <Page title={t.quizDone}>
      <p class="big-score">
        <span class="big-number" aria-hidden="true">
          {quiz.correct}
          <small>/{total}</small>
        </span>
        <span class="visually-hidden">{t.quizScore(quiz.correct, total)}</span>
      </p>
      {missed.length > 0 ? (
        <section class="card" aria-labelledby="missed">
          <h2 id="missed" class="visually-hidden">
            {t.missed}
          </h2>
          <p class="lead">{praise}</p>
          {repetition && <p>{t.secondTry(t.quizScore(repetition.correct, repetition.session.questions.length))}</p>}
          <MissedWords words={missed.map(missedWord)} {...settings} />
        </section>
      ) : (
        share === 1 && <p class="lead centered">{practice ? t.practised : t.quizPerfect}</p>
      )}
      {!practice && <Seal />}
      <div class="actions">
        {unknown.length > 0 && (
          <Button
            class="primary"
            label={t.practise}
            onClick={() =>
              onRestarted({ ...practise(unknown, settings, practice?.lobby), ...(homework && { homework }) })
            }
          />
        )}
        {!practice && !homework && (
          <ActionButton
            class={unknown.length > 0 ? 'secondary' : 'primary'}
            label={t.playAgain}
            action={async () => onRestarted(await requestQuiz(quiz.settings))}
          />
        )}
        {homework && (
          <ButtonLink
            to={`/homework/${homework}`}
            class={missed.length > 0 ? 'secondary' : 'primary'}
            label={t.homework.back}
          />
        )}
        {practice?.lobby && <ButtonLink to={`/lobby/${practice.lobby}`} label={t.backToLobby(practice.lobby)} />}
        <ButtonLink to="/" label={t.otherWords} />
      </div>
      <GuestOffer />
    </Page>
  );
}

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
              <NextButton text={t.askMissed(missed)} onNext={() => onChange(repeatMissed(quiz))} />
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
