// A timeout for promises that have none.

/**
 * @returns what `promise` resolves to
 * @throws Error "Command timed out" after `timeoutMs`, which counts as an outage; before, what `promise` rejects with
 */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Command timed out')), timeoutMs);
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
    // When the timeout was first, a later rejection of `promise` must not be unhandled.
    promise.catch(() => {});
  }
}
