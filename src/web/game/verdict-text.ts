// How an answer was judged, in words. Pure.
import type { JudgedAnswer } from '../../match/schema.ts';
import type { Texts } from '../i18n/en/index.ts';

type JudgedRight = Pick<JudgedAnswer, 'isCorrect' | 'verdict'>;

/** @returns the headline of the user's own result */
export function headlineOf(t: Texts, { isCorrect, verdict }: JudgedRight): string {
  if (verdict === 'close') return t.typed.close;
  return isCorrect ? t.right : t.notRight;
}

/** @param right the text of the right answer, as `meantText` finds it */
export function verdictText(t: Texts, judged: JudgedRight, right: string): string {
  if (judged.verdict === 'close') return `${t.typed.close} ${right}`;
  return judged.isCorrect ? t.right : t.wrong(right);
}
