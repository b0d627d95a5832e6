// Listeners by type of event, as `on` registers them.

export interface Listeners<Events> {
  /** @returns removes the listener */
  on<T extends keyof Events>(type: T, listener: (event: Events[T]) => void): () => void;
  emit<T extends keyof Events>(type: T, event: Events[T]): void;
}

export function createListeners<Events>(): Listeners<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
  return {
    on(type, listener) {
      const ofType = listeners.get(type) ?? new Set();
      listeners.set(type, ofType.add(listener));
      return () => void ofType.delete(listener);
    },
    emit(type, event) {
      for (const listener of listeners.get(type) ?? []) {
        try {
          (listener as (event: unknown) => void)(event);
        } catch (error) {
          // A listener's error is reported as uncaught and doesn't stop other listeners.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
  };
}
