// Shows that the connection is lost, and announces to screen readers when it is lost and restored.
import { useEffect, useRef } from 'preact/hooks';
import type { LiveStatus } from '../../client/live.ts';
import { useI18n } from '../i18n/index.tsx';
import { announce } from '../ui/announce.tsx';

interface ConnectionBannerProps {
  status: LiveStatus;
  /** Whether the lobby's state is known, so that `connecting` means a reconnection. */
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
