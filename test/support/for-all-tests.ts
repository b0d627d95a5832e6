// What all tests of a file or a `describe` share.
import { afterAll, beforeAll } from 'vitest';

/** Starts something in the first `beforeAll`, and stops it in the last `afterAll`. @returns it, usable in between */
export function forAllTests<T extends { stop(): unknown }>(start: () => Promise<T>): T {
  const shared = {} as T;
  beforeAll(async () => void Object.assign(shared, await start()));
  afterAll(() => shared.stop());
  return shared;
}
