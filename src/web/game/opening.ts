// What of an open round can be seen yet: before the first question a count of 3, 2, 1, then the prompt alone, so
// that all can read it, then the options. [contract 22]
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { announce } from '../ui/announce.tsx';
import { useIsBefore } from '../ui/use-now.ts';
import type { OpenRound } from './game-state.ts';

export type Opening = 'counting' | 'reading' | 'open';

/** Tells screen readers when a question that had to be read first can be answered. */
export function useOpening({ opensAtMs }: OpenRound, { settings }: Lobby): Opening {
  const { t } = useI18n();
  const promptAtMs = (opensAtMs ?? 0) - settings.readMs;
  const isCounting = useIsBefore(promptAtMs);
  const isReading = useIsBefore(opensAtMs ?? 0) || opensAtMs === null;
  useEffect(() => {
    if (!isReading && settings.readMs > 0) announce(t.answers);
  }, [isReading]);
  if (isCounting) return 'counting';
  return isReading ? 'reading' : 'open';
}
