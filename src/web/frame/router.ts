// The router. src/http/web.ts serves the page at each of its paths. It is no library, since the server needs
// the table of routes too, and the rest is these few lines.
import { useEffect, useState } from 'preact/hooks';
import { type Route, routeOf } from './routes.ts';

const NAVIGATED = 'page:moved';

/** Goes to another screen. @param options.replace whether the history loses the current screen */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  scrollTo(0, 0);
  dispatchEvent(new Event(NAVIGATED));
}

/** @returns the route of the current address */
export function useRoute(): Route {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const moved = () => setPath(location.pathname);
    const events = ['popstate', NAVIGATED];
    for (const event of events) addEventListener(event, moved);
    return () => {
      for (const event of events) removeEventListener(event, moved);
    };
  }, []);
  return routeOf(path);
}
