// Which screen is shown: by the address, and by whether somebody is signed in.
import { Announcer } from './announce.tsx';
import { Footer } from './components/footer.tsx';
import { Header } from './components/header.tsx';
import { lazy } from './components/lazy.tsx';
import { OnItsWay } from './components/on-its-way.tsx';
import { Waiting } from './components/waiting.tsx';
import { useI18n } from './i18n/index.tsx';
import { useRoute } from './router.ts';
import type { Route } from './routes.ts';
import { CheckMailScreen } from './screens/check-mail.tsx';
import { EntryScreen } from './screens/entry.tsx';
import { ForgotPasswordScreen } from './screens/forgot-password.tsx';
import { HomeScreen } from './screens/home.tsx';
import { LobbyScreen } from './screens/lobby.tsx';
import { NotFoundScreen } from './screens/not-found.tsx';
import { OutboxScreen } from './screens/outbox.tsx';
import { QuizScreen } from './screens/quiz.tsx';
import { ResetPasswordScreen } from './screens/reset-password.tsx';
import { VerifiedScreen } from './screens/verified.tsx';
import { useSession } from './session.tsx';

const AccountScreen = lazy(() => import('./account/account-screen.tsx'), OnItsWay);
const ListsScreen = lazy(() => import('./lists/lists-screen.tsx'), OnItsWay);
const NewListScreen = lazy(() => import('./lists/new-list-screen.tsx'), OnItsWay);
const ListScreen = lazy(() => import('./lists/list-screen.tsx'), OnItsWay);
const ProgressScreen = lazy(() => import('./progress/progress-screen.tsx'), OnItsWay);
const GamesScreen = lazy(() => import('./games/games-screen.tsx'), OnItsWay);
const GameScreen = lazy(() => import('./games/game-screen.tsx'), OnItsWay);

export function App() {
  const route = useRoute();
  return (
    <>
      <Header />
      <main>
        <Screen key={Object.values(route).join()} route={route} />
      </main>
      <Footer />
      <Announcer />
    </>
  );
}

function Screen({ route }: { route: Route }) {
  const { user, isUnreachable } = useSession();
  const { t } = useI18n();
  switch (route.name) {
    case 'forgot-password':
      return <ForgotPasswordScreen />;
    case 'reset-password':
      return <ResetPasswordScreen />;
    case 'outbox':
      return <OutboxScreen />;
    case 'unknown':
      return <NotFoundScreen />;
  }
  if (user === undefined) return <Waiting text={isUnreachable ? t.unreachable : t.loading} />;
  switch (route.name) {
    case 'check-mail':
      return <CheckMailScreen />;
    case 'verified':
      return <VerifiedScreen />;
  }
  if (!user) return <EntryScreen next={location.pathname} />;
  switch (route.name) {
    case 'home':
      return <HomeScreen />;
    case 'account':
      return user.isAnonymous ? <EntryScreen next="/" /> : <AccountScreen />;
    case 'quiz':
      return <QuizScreen />;
    case 'lists':
      return <ListsScreen />;
    case 'new-list':
      return <NewListScreen />;
    case 'list':
      return <ListScreen listId={route.listId} />;
    case 'progress':
      return <ProgressScreen />;
    case 'games':
      return <GamesScreen />;
    case 'game':
      return <GameScreen gameId={route.gameId} />;
    case 'lobby':
    case 'screen':
      return <LobbyScreen code={route.code} isSecondScreen={route.name === 'screen'} />;
  }
}
