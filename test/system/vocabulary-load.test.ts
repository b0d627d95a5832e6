// The command `npm run vocab` with many terms: the built-in vocabulary of 91,500. What a load does with the terms that it
// finds is in vocabulary-digest.test.ts. [contract 9]
import { expect, test } from 'vitest';
import { runVocab, useVocab } from '../support/vocab-setup.ts';

const given = useVocab();

test('two loads at once store the terms of all twenty directions in constant memory, each of them once', async () => {
  // The memory is that of `npm run vocab`; the terms as objects would need more.
  const load = () => runVocab(['load'], given.env, ['--max-old-space-size=96', '--max-semi-space-size=2']);
  const outcomes = await Promise.all([load(), load()]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  /** What each has reported: the new, the updated and the unchanged terms. */
  const counts = outcomes.map(({ stdout }) => [...stdout.matchAll(/[\d,]+(?= (?:new|updated|unchanged))/g)]);
  const loads = counts.map((found) => found.map(([count]) => Number(count.replaceAll(',', ''))));
  const terms = Math.max(...loads.flat());
  expect(terms).toBeGreaterThan(90_000);
  expect(loads.toSorted(([one = 0], [other = 0]) => other - one)).toEqual([
    [terms, 0, 0],
    [0, 0, terms],
  ]);
  const { rows } = await given.database.query(
    `SELECT count(DISTINCT (source_language, target_language))::int AS directions, sum(term_count)::int AS terms,
            sum(term_count - (SELECT count(*) FROM term WHERE deck_id = deck.id))::int AS miscounted
       FROM deck`,
  );
  expect(rows[0]).toEqual({ directions: 20, terms, miscounted: 0 });
}, 240_000);
