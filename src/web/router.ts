// The page's addresses. src/http/web.ts answers each of them with the page. Our own, since the server
// needs the table of routes too, and the rest of what a router's library does is the few lines here.
import { useEffect, useState } from 'preact/hooks';
import { type Route, routeOf } from './routes.ts';

const MOVED = 'page:moved';

/** Goes to another screen. @param options.replace leaves no way back to this one */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  scrollTo(0, 0);
  dispatchEvent(new Event(MOVED));
}

/** @returns the screen that the address names, now and after each change */
export function useRoute(): Route {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const moved = () => setPath(location.pathname);
    const events = ['popstate', MOVED];
    for (const event of events) addEventListener(event, moved);
    return () => {
      for (const event of events) removeEventListener(event, moved);
    };
  }, []);
  return routeOf(path);
}
