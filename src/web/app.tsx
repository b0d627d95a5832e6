// Selects the screen by the address and by whether somebody is signed in.
import type { ComponentType } from 'preact';
import { EntryScreen } from './entry/entry.tsx';
import { useSession } from './entry/session.tsx';
import { Footer, Header, NotFoundScreen } from './frame/frame.tsx';
import { useIsConfigured } from './frame/page-config.tsx';
import { useRoute } from './frame/router.ts';
import type { Route } from './frame/routes.ts';
import { useI18n } from './i18n/index.tsx';
import { lazyScreen } from './ui/lazy.tsx';
import { LiveRegion, Spinner } from './ui/page.tsx';

const mails = () => import('./entry/mail-screens.tsx');
const lists = () => import('./lists/list-screen.tsx');
const games = () => import('./games/games-screen.tsx');
const homework = () => import('./homework/homework-screen.tsx');

const AccountScreen = lazyScreen(async () => (await import('./account/account-screen.tsx')).AccountScreen);
const ListScreen = lazyScreen(async () => (await lists()).ListScreen);
const AssignmentScreen = lazyScreen(async () => (await homework()).AssignmentScreen);
const GameScreen = lazyScreen(async () => (await games()).GameScreen);
const LobbyScreen = lazyScreen(async () => (await import('./lobby/lobby.tsx')).LobbyScreen);

// A guest with an invitation loads the game while typing a name.
if (location.pathname.startsWith('/lobby/')) LobbyScreen.preload();

type Screens = Partial<Record<Route['name'], ComponentType>>;

/** The screens that need no session. */
const PUBLIC: Screens = {
  'forgot-password': lazyScreen(async () => (await mails()).ForgotPasswordScreen),
  'reset-password': lazyScreen(async () => (await mails()).ResetPasswordScreen),
  verify: lazyScreen(async () => (await mails()).VerifyScreen),
  outbox: lazyScreen(async () => (await mails()).OutboxScreen),
  unknown: NotFoundScreen,
};

/** The screens that need to know whether there is a session. */
const OF_ANYBODY: Screens = {
  'check-mail': lazyScreen(async () => (await mails()).CheckMailScreen),
  verified: lazyScreen(async () => (await mails()).VerifiedScreen),
};

const OF_USERS: Screens = {
  home: lazyScreen(async () => (await import('./home/home.tsx')).HomeScreen),
  quiz: lazyScreen(async () => (await import('./quiz/quiz.tsx')).QuizScreen),
  lists: lazyScreen(async () => (await lists()).ListsScreen),
  'new-list': lazyScreen(async () => (await lists()).NewListScreen),
  progress: lazyScreen(async () => (await import('./progress/progress-screen.tsx')).ProgressScreen),
  games: lazyScreen(async () => (await games()).GamesScreen),
  homework: lazyScreen(async () => (await homework()).HomeworkScreen),
  'new-homework': lazyScreen(async () => (await import('./homework/new-homework-screen.tsx')).NewHomeworkScreen),
};

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
  const isConfigured = useIsConfigured();
  const { t } = useI18n();
  const Public = PUBLIC[route.name];
  if (Public) return <Public />;
  // Which ways in there are decides what the first screen has.
  if (user === undefined || !isConfigured) return <Spinner text={isUnreachable ? t.unreachable : t.loading} />;
  const Anybodys = OF_ANYBODY[route.name];
  if (!user && !Anybodys) return <EntryScreen next={location.pathname} />;
  const Plain = Anybodys ?? OF_USERS[route.name];
  if (Plain) return <Plain />;
  switch (route.name) {
    case 'account':
      return user?.isAnonymous ? <EntryScreen next="/" /> : <AccountScreen />;
    case 'list':
      return <ListScreen listId={route.listId} />;
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
