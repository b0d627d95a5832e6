// The words of homework, the hardest first, with the most frequent wrong answers.
import { useState } from 'preact/hooks';
import type { AssignmentResults } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';

/** The number of words that are shown at first. */
const SHOWN = 5;

export function HardestWords({ results }: { results: AssignmentResults }) {
  const { t, locale } = useI18n();
  const [isWhole, setWhole] = useState(false);
  const { sourceLanguage, targetLanguage } = results.assignment;
  const asked = results.questions
    .filter(({ rightShare }) => rightShare !== null)
    .toSorted((one, other) => (one.rightShare ?? 0) - (other.rightShare ?? 0));
  if (asked.length === 0) return null;
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const shown = isWhole ? asked : asked.slice(0, SHOWN);
  return (
    <section class="card" aria-labelledby="hardest">
      <h2 id="hardest">{t.homework.hardest}</h2>
      <ul class="hardest ruled">
        {shown.map(({ questionId, prompt, gloss, correctText, rightShare, mostWrong }) => (
          <li key={questionId}>
            <p>
              <bdi lang={sourceLanguage}>{prompt}</bdi>
              {gloss && (
                <small class="hint">
                  {' '}
                  <bdi lang={sourceLanguage}>{gloss}</bdi>
                </small>
              )}{' '}
              → <bdi lang={targetLanguage}>{correctText}</bdi>
            </p>
            <p>{t.homework.rightShare(percent.format(rightShare ?? 0))}</p>
            {mostWrong.length > 0 && (
              <p class="hint">
                {t.homework.mostWrong}{' '}
                {mostWrong.map(({ text, count }, at) => (
                  <span key={text}>
                    {at > 0 && ' · '}
                    <bdi lang={targetLanguage}>{text}</bdi> ({count})
                  </span>
                ))}
              </p>
            )}
          </li>
        ))}
      </ul>
      {!isWhole && shown.length < asked.length && (
        <button type="button" class="secondary" onClick={() => setWhole(true)}>
          {t.showAll(asked.length)}
        </button>
      )}
    </section>
  );
}
