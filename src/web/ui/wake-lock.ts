// Keeps the screen on while a component is shown, such as a projector's, which nobody touches for minutes. Browsers allow
// it over https only, and a battery saver may refuse it.
import { useEffect } from 'preact/hooks';

export function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // A hidden page loses its lock.
    const request = () => {
      if (document.visibilityState === 'visible') lock = navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      document.removeEventListener('visibilitychange', request);
      void lock?.then((held) => held?.release());
    };
  }, []);
}
