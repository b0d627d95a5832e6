// The session of all screens, synchronised over all windows of this browser.
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SIGNED_OUT } from '../api.ts';
import { retry } from '../ui/retry.ts';
import { clearTab, onSavedInOtherTab, save } from '../ui/storage.ts';
import { callAuth, getUser, type User } from './auth.ts';

interface SessionState {
  /** Undefined until the service has replied. */
  user: User | null | undefined;
  /** Whether the service could not be reached so far. */
  isUnreachable: boolean;
  /** Whether the service has ended the session while the user was here. */
  isOver: boolean;
  /** Sets the user after a sign-in, or after a change such as another name. */
  signedIn(user: User): void;
  /** @param request the operation that ends the session; the default signs out this device */
  signOut(request?: () => Promise<unknown>): Promise<void>;
  /** Forgets the user after the service has replied that the session is over. */
  ended(): void;
}

/** The storage key whose changes other windows observe. */
const SIGNAL = 'session';

const SessionContext = createContext<SessionState | null>(null);

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [user, setUser] = useState<User | null | undefined>(undefined);
  const [isUnreachable, setUnreachable] = useState(false);
  const [isOver, setOver] = useState(false);
  const known = useRef(user);
  known.current = user;
  const ended = useCallback(() => {
    if (known.current) setOver(true);
    setUser(null);
  }, []);

  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const ask = async () => {
      const found = await retry(getUser, { onWaiting: () => setUnreachable(true), signal });
      setUnreachable(false);
      setUser(found);
    };
    const refused = () => setUser(null);
    ask().catch(refused);
    const stopHearing = onSavedInOtherTab(SIGNAL, () => void ask().catch(refused));
    addEventListener(SIGNED_OUT, ended, { signal });
    return () => {
      stopHearing();
      stopped.abort();
    };
  }, []);

  const session = useMemo<SessionState>(
    () => ({
      user,
      isUnreachable,
      isOver,
      signedIn(found) {
        setOver(false);
        setUser(found);
        save('device', SIGNAL, Math.random());
      },
      async signOut(request = () => callAuth('/sign-out', {})) {
        await request();
        clearTab();
        setUser(null);
        save('device', SIGNAL, Math.random());
      },
      ended,
    }),
    [user, isUnreachable, isOver, ended],
  );
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

export function useSession(): SessionState {
  const session = useContext(SessionContext);
  if (!session) throw new Error('outside of the SessionProvider');
  return session;
}

/** @returns the user; only for screens that need a session */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new Error('nobody is signed in');
  return user;
}
