// A message in its place. Errors are said at once, everything else when there is a pause.
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
