// The moments at which a connection may have been lost without an event: the network came or went, the screen
// was off, or the page was frozen.

/** @returns a function that stops listening */
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
