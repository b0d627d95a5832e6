// Says when the connection is lost and when it is back; the game goes on meanwhile.
import { useEffect, useRef } from 'preact/hooks';
import type { LiveStatus } from '../../client/live.ts';
import { announce } from '../announce.tsx';
import { useI18n } from '../i18n/index.tsx';

interface ConnectionBannerProps {
  status: LiveStatus;
  /** Whether the lobby was seen before: a first connection is no reconnection. */
  isEntered: boolean;
}

export function ConnectionBanner({ status, isEntered }: ConnectionBannerProps) {
  const { t } = useI18n();
  const wasLost = useRef(false);
  const isLost = status === 'reconnecting' || (status === 'connecting' && isEntered);
  useEffect(() => {
    if (isLost) announce(t.reconnecting);
    else if (wasLost.current) announce(t.reconnected);
    wasLost.current = isLost;
  }, [isLost, t]);
  if (!isLost) return null;
  return (
    <p class="connection">
      <span class="spinner" aria-hidden="true" />
      {t.reconnecting}
    </p>
  );
}
