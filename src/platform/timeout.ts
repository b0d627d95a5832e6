// A bound for promises that have none of their own.

/**
 * @returns what `promise` comes to
 * @throws Error "… timed out", which counts as an outage, after `timeoutMs`
 */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Command timed out')), timeoutMs);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
    // A loser of the race must not become an unhandled rejection.
    promise.catch(() => {});
  }
}
