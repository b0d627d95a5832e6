// What all tests of a file or a `describe` share: functions whose names begin with `use` start it in the first
// `beforeAll`, and stop it in the last `afterAll`. What they return is usable in between.
import { afterAll, beforeAll } from 'vitest';

export function forAllTests<T extends { stop(): unknown }>(start: () => Promise<T>): T {
  const shared = {} as T;
  beforeAll(async () => void Object.assign(shared, await start()));
  afterAll(() => shared.stop?.());
  return shared;
}
