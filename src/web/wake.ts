// The moments at which a browser may have been away: the network came or went, the screen was off,
// the page was frozen. What was true before may not be any more.

/** @returns stops listening */
export function onWake(wake: () => void): () => void {
  const seen = () => {
    if (document.visibilityState === 'visible') wake();
  };
  const events = ['online', 'offline', 'pageshow'];
  for (const event of events) addEventListener(event, wake);
  document.addEventListener('visibilitychange', seen);
  return () => {
    for (const event of events) removeEventListener(event, wake);
    document.removeEventListener('visibilitychange', seen);
  };
}
