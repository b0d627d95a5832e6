// Stored results name everybody whose account was deleted alike, in English. The page says it in its own language.
// [contract 17]
import type { Texts } from '../i18n/en/index.ts';

const DELETED_NAME = 'Deleted player';

/** @returns the people of a stored result, as the page names them */
export function asNamed<Person extends { name: string }>(people: readonly Person[], t: Texts): Person[] {
  return people.map((person) => (person.name === DELETED_NAME ? { ...person, name: t.games.deleted } : person));
}
