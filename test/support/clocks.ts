// All clocks of games at once.
import { createQueue } from '../../src/platform/queue.ts';
import type { Services } from '../../src/services.ts';

/** Takes all away, those that are being worked at included. */
export async function removeClocks(services: Services): Promise<void> {
  for (const place of await services.clock.places()) {
    const queue = createQueue(place, services);
    await queue.obliterate({ force: true });
    await queue.close();
  }
}
