// A form's way to the service: one request at a time, and what it came to.
import { useState } from 'preact/hooks';
import { useI18n } from './i18n/index.tsx';

export interface Submission {
  isBusy: boolean;
  /** What went wrong, in words; null while nothing did. */
  error: string | null;
  setError(error: string | null): void;
  /** For a form's `onSubmit` or a button's `onClick`. */
  submit(event: Event): void;
}

/** @param send what to do; whatever it throws is explained */
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
