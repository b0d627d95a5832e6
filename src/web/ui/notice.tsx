// A message on the screen. Screen readers interrupt for errors only.
import type { ComponentChildren } from 'preact';

interface NoticeProps {
  kind: 'error' | 'info' | 'good';
  children: ComponentChildren;
}

export function Notice({ kind, children }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
