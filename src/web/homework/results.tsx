import { useState } from 'preact/hooks';
import type { AssignmentResults } from '../../client/types.ts';
import { client } from '../api.ts';
import type { Cell } from '../csv.ts';
import { readAs } from '../download.ts';
import { asNamed } from '../games/game-answers.ts';
import type { Texts } from '../i18n/en/index.ts';
import { useI18n } from '../i18n/index.tsx';
import { HardestInClass } from '../lists/hardest-words.tsx';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { Card, TextWithNames } from '../ui/page.tsx';
import { Pending, useQuery } from '../ui/query.tsx';
import '../games/games.css';

type Person = AssignmentResults['people'][number];

interface PeopleTableProps {
  results: AssignmentResults;
  onMore(): void;
  onRemoved(): void;
}

export function PeopleTable({ results, onMore, onRemoved }: PeopleTableProps) {
  const { t } = useI18n();
  const { assignment, next } = results;
  const people = asNamed(results.people, t);
  const { code, startedCount = 0, finishedCount = 0 } = assignment;
  return (
    <Card
      title={
        <>
          {t.homework.started(startedCount)}, {t.homework.finished(finishedCount)}
        </>
      }
    >
      {people.length === 0 && <p class="hint">{t.homework.nobody}</p>}
      {people.length > 0 && (
        <table class="people">
          <thead>
            <tr>
              <th>{t.games.player}</th>
              <th>{t.homework.bestShort}</th>
              <th>{t.homework.state}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <PersonRow
                key={person.userId}
                person={person}
                results={results}
                remove={() => client.deletePerson(code, person.userId).then(onRemoved)}
              />
            ))}
          </tbody>
        </table>
      )}
      {next && <Button label={t.homework.morePeople} onClick={onMore} />}
      {people.some(({ isGuest }) => isGuest) && (
        <ConfirmButton
          label={t.homework.removeGuests}
          question={t.homework.removeGuestsAsk}
          consequence={t.homework.removeGuestsMore}
          action={() => client.deleteGuests(code).then(onRemoved)}
        />
      )}
    </Card>
  );
}

interface PersonRowProps {
  person: Person;
  results: AssignmentResults;
  remove(): Promise<void>;
}

type DateTime = ReturnType<typeof useI18n>['dateTime'];

/** @returns how far a person is, or when the last attempt was done */
function stateOf({ attempts }: Person, { homework }: Texts, dateTime: DateTime): string {
  const open = attempts.find(({ finishedAt }) => finishedAt === null);
  const finishedAt = [...attempts].reverse().find((attempt) => attempt.finishedAt !== null)?.finishedAt;
  if (open) return homework.answering(open.answered, open.total);
  return finishedAt ? homework.doneAt(dateTime(finishedAt)) : '';
}

/** @returns the people with their best attempts, as a table for a spreadsheet */
export function tableOf(people: readonly Person[], t: Texts, dateTime: DateTime): Cell[][] {
  const rows = asNamed(people, t).map((person): Cell[] => {
    const { name, best, attempts } = person;
    const numbers = [best?.correct ?? '', best?.total ?? '', t.homework.attempts(attempts.length)];
    return [name, ...numbers, stateOf(person, t, dateTime)];
  });
  return [[t.games.player, t.homework.bestShort, t.questions, '', t.homework.state], ...rows];
}

/** A press on the name shows the mistakes of the best attempt. */
function PersonRow({ person, results, remove }: PersonRowProps) {
  const { t, dateTime } = useI18n();
  const { userId, name, attempts, best } = person;
  const [isOpen, setOpen] = useState(false);
  return (
    <tr>
      <td>
        {best ? (
          <Button class="link" label={<bdi>{name}</bdi>} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
        ) : (
          <bdi>{name}</bdi>
        )}
        {isOpen && <Mistakes userId={userId} results={results} />}
        {attempts.length > 1 && <small class="hint"> {t.homework.attempts(attempts.length)}</small>}
      </td>
      <td>{best ? `${best.correct}/${best.total}` : '–'}</td>
      <td class="hint">{stateOf(person, t, dateTime)}</td>
      <td>
        <ConfirmButton
          label={<TextWithNames text={t.homework.remove} names={[name]} />}
          icon="cross"
          question={<TextWithNames text={t.homework.removeAsk} names={[name]} />}
          consequence={t.homework.removeMore}
          action={remove}
        />
      </td>
    </tr>
  );
}

function Mistakes({ userId, results }: { userId: string; results: AssignmentResults }) {
  const { t } = useI18n();
  const { code, sourceLanguage, targetLanguage } = results.assignment;
  const { data: missed, error } = useQuery(() => findMissed(code, userId), userId);
  if (!missed) return <Pending error={error} />;
  if (missed.size === 0) return <p class="hint">{t.homework.noMistake}</p>;
  return (
    <ul>
      {results.questions.map(
        ({ questionId, prompt, correctText }, at) =>
          missed.has(at) && (
            <li key={questionId}>
              <bdi lang={sourceLanguage}>{prompt}</bdi> → <bdi lang={targetLanguage}>{correctText}</bdi>
            </li>
          ),
      )}
    </ul>
  );
}

/** The columns of the table before those of the questions. [contract 21] */
const PERSON_COLUMNS = 6;

/** @returns the places of the questions that a person has missed; only the table of all says it */
async function findMissed(code: string, userId: string): Promise<Set<number>> {
  const [table, { default: Papa }] = await Promise.all([
    readAs(`/api/v1/assignments/${code}/results`, 'text/csv'),
    import('papaparse'),
  ]);
  const marks =
    Papa.parse<string[]>(await table.text())
      .data.find(([, id]) => id === userId)
      ?.slice(PERSON_COLUMNS) ?? [];
  return new Set(marks.flatMap((mark, at) => (mark === '0' ? [at] : [])));
}

/** The number of words that are shown at first. */
const SHOWN = 5;

/** The words of homework, the hardest first, with the most frequent wrong answers. */
export function HardestWords({ results }: { results: AssignmentResults }) {
  const { t, locale } = useI18n();
  const [isWhole, setWhole] = useState(false);
  const { sourceLanguage, targetLanguage } = results.assignment;
  const asked = results.questions
    .filter(({ rightShare }) => rightShare !== null)
    .sort((one, other) => (one.rightShare ?? 0) - (other.rightShare ?? 0));
  if (asked.length === 0) return null;
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const shown = isWhole ? asked : asked.slice(0, SHOWN);
  return (
    <Card title={t.homework.hardest}>
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
      <HardestInClass
        of={results.assignment.title}
        direction={results.assignment}
        asked={asked.map((question) => {
          return { ...question, right: question.correctText, share: question.rightShare ?? 0 };
        })}
      />
      {!isWhole && shown.length < asked.length && (
        <Button label={t.showAll(asked.length)} onClick={() => setWhole(true)} />
      )}
    </Card>
  );
}
