// Selects the screen by the address and by whether somebody is signed in.
import { EntryScreen } from './entry/entry.tsx';
import { useSession } from './entry/session.tsx';
import { Footer } from './frame/footer.tsx';
import { Header } from './frame/header.tsx';
import { NotFoundScreen } from './frame/not-found.tsx';
import { useRoute } from './frame/router.ts';
import type { Route } from './frame/routes.ts';
import { useI18n } from './i18n/index.tsx';
import { LiveRegion } from './ui/announce.tsx';
import { lazy } from './ui/lazy.tsx';
import { LazyFallback } from './ui/lazy-fallback.tsx';
import { Spinner } from './ui/spinner.tsx';

const CheckMailScreen = lazy(() => import('./entry/check-mail.tsx'), LazyFallback);
const ForgotPasswordScreen = lazy(() => import('./entry/forgot-password.tsx'), LazyFallback);
const OutboxScreen = lazy(() => import('./entry/outbox.tsx'), LazyFallback);
const ResetPasswordScreen = lazy(() => import('./entry/reset-password.tsx'), LazyFallback);
const VerifiedScreen = lazy(() => import('./entry/verified.tsx'), LazyFallback);
const VerifyScreen = lazy(() => import('./entry/verify.tsx'), LazyFallback);
const HomeScreen = lazy(() => import('./home/home.tsx'), LazyFallback);
const AccountScreen = lazy(() => import('./account/account-screen.tsx'), LazyFallback);
const ListsScreen = lazy(() => import('./lists/lists-screen.tsx'), LazyFallback);
const NewListScreen = lazy(() => import('./lists/new-list-screen.tsx'), LazyFallback);
const ListScreen = lazy(() => import('./lists/list-screen.tsx'), LazyFallback);
const QuizScreen = lazy(() => import('./quiz/quiz.tsx'), LazyFallback);
const ProgressScreen = lazy(() => import('./progress/progress-screen.tsx'), LazyFallback);
const GamesScreen = lazy(() => import('./games/games-screen.tsx'), LazyFallback);
const HomeworkScreen = lazy(() => import('./homework/homework-screen.tsx'), LazyFallback);
const NewHomeworkScreen = lazy(() => import('./homework/new-homework-screen.tsx'), LazyFallback);
const AssignmentScreen = lazy(() => import('./homework/assignment-screen.tsx'), LazyFallback);
const GameScreen = lazy(() => import('./games/game-screen.tsx'), LazyFallback);

const LobbyScreen = lazy(() => import('./lobby/lobby.tsx'), LazyFallback);

// A guest with an invitation loads the game while typing a name.
if (location.pathname.startsWith('/lobby/')) LobbyScreen.preload();

export function App() {
  const route = useRoute();
  return (
    <>
      <Header />
      <main>
        <Screen key={Object.values(route).join()} route={route} />
      </main>
      <Footer />
      <LiveRegion />
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
    case 'verify':
      return <VerifyScreen />;
    case 'outbox':
      return <OutboxScreen />;
    case 'unknown':
      return <NotFoundScreen />;
  }
  if (user === undefined) return <Spinner text={isUnreachable ? t.unreachable : t.loading} />;
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
    case 'homework':
      return <HomeworkScreen />;
    case 'new-homework':
      return <NewHomeworkScreen />;
    case 'assignment':
      return <AssignmentScreen code={route.code} />;
    case 'game':
      return <GameScreen gameId={route.gameId} />;
    case 'lobby':
    case 'screen':
    case 'remote':
      return <LobbyScreen code={route.code} view={route.name} />;
  }
}
