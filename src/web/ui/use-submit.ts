// Sends a form's requests, one at a time.
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';

export interface Submission {
  isBusy: boolean;
  /** Why the last request failed, in words for the user; null if it did not. */
  error: string | null;
  setError(error: string | null): void;
  /** For a form's `onSubmit` or a button's `onClick`. */
  submit(event: Event): void;
}

/** @param send sends the request; an error that it throws is shown */
export function useSubmit(send: () => Promise<unknown>): Submission {
  const { explain } = useI18n();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  return {
    isBusy,
    error,
    setError,
    submit(event) {
      event.preventDefault();
      if (isBusy) return;
      setBusy(true);
      setError(null);
      send()
        .catch((thrown: unknown) => setError(explain(thrown)))
        .finally(() => setBusy(false));
    },
  };
}
