// Who is signed in, for all screens and in all windows of this browser.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { SIGNED_OUT } from './api.ts';
import { getUser, signOut, type User } from './auth.ts';
import { persist } from './persist.ts';
import { clearTab, onSavedElsewhere, save } from './storage.ts';

interface Session {
  /** Undefined until the service has said so. */
  user: User | null | undefined;
  /** Whether the service could not be asked yet. */
  isUnreachable: boolean;
  /** Somebody has just signed in here, or is not who they were: has another name, say. */
  signedIn(user: User): void;
  /** Signs out. @param request how, if not this device alone */
  signOut(request?: () => Promise<unknown>): Promise<void>;
  /** The session is over, as the service has just said. */
  ended(): void;
}

/** What other windows listen to. */
const SIGNAL = 'session';

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [user, setUser] = useState<User | null | undefined>(undefined);
  const [isUnreachable, setUnreachable] = useState(false);

  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const ask = async () => {
      const found = await persist(getUser, { onWaiting: () => setUnreachable(true), signal });
      setUnreachable(false);
      setUser(found);
    };
    const refused = () => setUser(null);
    ask().catch(refused);
    const stopHearing = onSavedElsewhere(SIGNAL, () => void ask().catch(refused));
    addEventListener(SIGNED_OUT, refused, { signal });
    return () => {
      stopHearing();
      stopped.abort();
    };
  }, []);

  const session = useMemo<Session>(
    () => ({
      user,
      isUnreachable,
      signedIn(found) {
        setUser(found);
        save('device', SIGNAL, Math.random());
      },
      async signOut(request = signOut) {
        await request();
        clearTab();
        setUser(null);
        save('device', SIGNAL, Math.random());
      },
      ended: () => setUser(null),
    }),
    [user, isUnreachable],
  );
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('outside of the SessionProvider');
  return session;
}

/** @returns the user, on screens that only a signed-in one gets to see */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new Error('nobody is signed in');
  return user;
}
