// Each process of a chaos run loads this file first (`--import`). It shifts the process's clock by
// CHAOS_CLOCK_SKEW_MS, reports when the machine has kept the process waiting, and ends it with the run. The
// monotonic clock is not shifted, as on a machine whose time of day is wrong.
import { watchStarvation } from './starvation.ts';

const skewMs = Number(process.env.CHAOS_CLOCK_SKEW_MS ?? 0);
const RealDate = Date;
const realNow = Date.now.bind(Date);
const origin = performance.timeOrigin + skewMs;

if (skewMs !== 0) {
  const now = () => realNow() + skewMs;
  globalThis.Date = new Proxy(RealDate, {
    // Date called without `new` returns the time as text.
    apply: () => new RealDate(now()).toString(),
    construct: (target, values, self) => Reflect.construct(target, values.length > 0 ? values : [now()], self),
    get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
  });
  Object.defineProperty(performance, 'timeOrigin', { get: () => origin });
}

watchStarvation((starvedMs) => process.send?.({ starvedMs })).unref();

process.once('disconnect', () => process.exit(1));
process.channel?.unref();
