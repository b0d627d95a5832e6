// The keys of an index by which the forms that are close to a form are found without a scan. A form is cut into five
// parts, and each of its keys leaves out one of them. One edit changes one part alone, unless it swaps the neighbours
// at a cut, so that two forms that are one edit apart have a key in common. Pure. [contract 20]
import { hasEnoughLetters, hashOf } from '../../judging/verdict.ts';
import { withoutDiacritics } from '../../text.ts';

const PARTS = 5;
const NUMBERS = Array.from({ length: PARTS }, (_, part) => part);

/** @returns the keys under which an index has a form, as signed 32-bit hashes */
export function keysOfForm(form: string): number[] {
  const points = Array.from(form);
  return [bareKey(form), ...NUMBERS.map((part) => keyWithout(part, points, points.length))];
}

/** @returns keys of which each form that is close to this one has at least one; other forms may have them too */
export function keysNearForm(form: string): number[] {
  if (!hasEnoughLetters(form)) return [bareKey(form)];
  const points = Array.from(form);
  // An insertion makes the other form longer, and a deletion shorter.
  const lengths = [points.length, points.length + 1, points.length - 1];
  const edited = lengths.flatMap((length) =>
    NUMBERS.map((part) => keyWithout(part, points, length)),
  );
  const swapped = NUMBERS.slice(1).map((part) => {
    const cut = cutBefore(part, points.length);
    return keyWithout(0, swappedAt(points, cut - 1), points.length);
  });
  return [...new Set([bareKey(form), ...edited, ...swapped])];
}

/** @returns the place, in code points, at which a part of a form begins */
const cutBefore = (part: number, length: number) => Math.floor((part * length) / PARTS);

/**
 * @param length the length of a form that differs from `points` in this part alone
 * @returns the key of that form that leaves out the part
 */
function keyWithout(part: number, points: readonly string[], length: number): number {
  const before = points.slice(0, cutBefore(part, length));
  const after = length - cutBefore(part + 1, length);
  const kept = [...before, '\n', ...points.slice(points.length - after)];
  return hashOf(`${part} ${length} ${kept.join('')}`);
}

/** @returns the hash of a form without its diacritics */
export const bareKey = (form: string) => hashOf(`bare ${withoutDiacritics(form)}`);

function swappedAt(points: readonly string[], at: number): string[] {
  const [left = '', right = ''] = points.slice(at, at + 2);
  return points.toSpliced(at, 2, right, left);
}
