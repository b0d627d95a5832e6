// The state of a quiz. Pure, and plain data, so that it can be stored for a reload.
import type { input } from 'zod';
import type { Assignment, AttemptSession } from '../../client/types.ts';
import type { AnswerResult, GameRequest, GameSession } from '../../singleplayer/schema.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { alsoRight, type GivenAnswer, givenText, rightText, type Solution } from '../game/answers.ts';
import type { Direction } from '../words/deck-choice.ts';

/** The request of a quiz. For a list it has the languages as well, which the questions are displayed with. */
export type QuizSettings = Omit<input<typeof GameRequest>, keyof Direction> & Direction;

type AnswerVerdict = Solution & Pick<AnswerResult, 'selectedOptionId' | 'submittedText' | 'verdict' | 'isCorrect'>;

/** The part of the service's judgement that the page uses. */
export type Judgement = AnswerVerdict & { score: Pick<AnswerResult['score'], 'correct'> };

/** The judgement of a question; `lost` if the answer was counted but its response did not arrive. */
type Verdict = AnswerVerdict | 'lost';

export interface Quiz {
  settings: QuizSettings;
  session: GameSession;
  /** One for each answered question. */
  verdicts: Verdict[];
  /** The index of the current question; the number of questions when the quiz is over. */
  at: number;
  correct: number;
  /** The code of the assignment of which this is an attempt, or whose missed words are practised. [contract 21] */
  homework?: string;
  /** Set if the page judges the answers, in practice of missed words. */
  practice?: Practice;
  /** The missed words, asked once more at the end. Their answers don't count. */
  repetition?: Quiz;
}

interface Practice {
  solutions: Solution[];
  /** The code of the lobby in which the words were missed. */
  lobby?: string;
}

export function startQuiz(settings: QuizSettings, session: GameSession): Quiz {
  return { settings, session, verdicts: [], at: 0, correct: 0 };
}

/** @returns the part of the quiz that is asked now: after the last question its repetition */
export function partOf(quiz: Quiz): Quiz {
  return quiz.repetition && !questionAt(quiz) ? quiz.repetition : quiz;
}

/** @returns the quiz with a change of the part that is asked now */
export function withPart(quiz: Quiz, part: Quiz): Quiz {
  return partOf(quiz) === quiz ? part : { ...quiz, repetition: part };
}

/** @returns the current question, or null at the end */
export function questionAt({ session, at }: Quiz): Question | null {
  return session.questions[at] ?? null;
}

/** @returns the verdict on the current question, or null while it is open */
export function verdictAt({ verdicts, at }: Quiz): Verdict | null {
  return verdicts[at] ?? null;
}

/** @returns the quiz after the judgement of the current question, with the service's score */
export function withVerdict(quiz: Quiz, result: Judgement): Quiz {
  return { ...quiz, verdicts: [...quiz.verdicts, result], correct: result.score.correct };
}

/** @returns the quiz after an answer whose judgement did not arrive */
export function withLostVerdict(quiz: Quiz): Quiz {
  return { ...quiz, verdicts: [...quiz.verdicts, 'lost'] };
}

export function nextQuestion(quiz: Quiz): Quiz {
  return { ...quiz, at: quiz.at + 1 };
}

/** A question that was answered wrong or not at all. */
export interface MissedQuestion {
  question: Question;
  solution: Solution;
  /** Null without an answer; undefined if its text is unknown. */
  given: GivenAnswer | null | undefined;
}

/** @returns the answer that was judged */
export function givenIn({ selectedOptionId, submittedText }: AnswerVerdict): GivenAnswer {
  return submittedText === undefined ? { optionId: selectedOptionId as number } : { text: submittedText };
}

export function missedQuestions({ session, verdicts }: Quiz): MissedQuestion[] {
  return session.questions.flatMap((question, index) => {
    const verdict = verdicts[index];
    if (!verdict || verdict === 'lost' || verdict.isCorrect) return [];
    return [{ question, solution: verdict, given: givenIn(verdict) }];
  });
}

export interface MissedWord {
  prompt: string;
  gloss: string | undefined;
  correct: string;
  /** The other accepted translations. */
  also: string[];
  /** The answer that was given; null without one, and '' if its text is unknown. */
  chosen: string | null;
}

/** @returns the texts of a missed question, for display */
export function missedWord(missed: MissedQuestion): MissedWord {
  const { question, solution, given } = missed;
  const { prompt, gloss } = question;
  const correct = rightText(question, solution);
  return {
    prompt,
    gloss,
    correct,
    also: alsoRight(solution, correct),
    chosen: given === null ? null : givenText(question, given),
  };
}

/** @returns the attempt after its judged answers, which come first, in their order */
export function resumeHomework(
  { code, sourceLanguage, targetLanguage }: Pick<Assignment, 'code' | 'sourceLanguage' | 'targetLanguage'>,
  { answered, questions, sessionId, expiresAt }: AttemptSession,
): Quiz {
  const judged = answered.flatMap((result) => {
    const question = questions.find(({ questionId }) => questionId === result.questionId);
    return question ? [{ question, result }] : [];
  });
  const done = judged.map(({ question }) => question);
  const open = questions.filter((question) => !done.includes(question));
  return {
    settings: { sourceLanguage, targetLanguage },
    session: { sessionId, expiresAt, questions: [...done, ...open] },
    verdicts: judged.map(({ result }) => result),
    at: judged.length,
    correct: judged.filter(({ result }) => result.isCorrect).length,
    homework: code,
  };
}
