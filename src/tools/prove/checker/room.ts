// The host's decisions hold: a removed user stays out, a locked lobby admits nobody, and a host who presents
// takes no part but sees how many have answered. [contract 11]
import type { ServerEvent } from '../../../client/types.ts';
import type { Client, LobbyHistory, Sent } from '../history.ts';
import { answersOf, isStanding } from './games.ts';
import { gamesOf, type LobbyLog, type Wrong } from './log.ts';

type State = Extract<ServerEvent, { type: 'lobby:state' }>;
type Member = State['lobby']['players'][number];

/** The errors of a removed user's join. A rate limit may come first. */
const REMOVED_CODES: readonly (string | null)[] = ['KICKED', 'RATE_LIMITED'];

export function* wrongRoom({ history, log }: Pick<LobbyLog, 'history' | 'log'>): Generator<Wrong> {
  const states = log.filter((event) => event.type === 'lobby:state');
  yield* removedInside(history, states);
  yield* lockedDoors(history, states);
  yield* wrongPresenters(history, log);
  yield* sameNames(states);
  for (const client of history.clients) yield* wrongProgress(client, states);
}

function* removedInside({ clients, joins, members }: LobbyHistory, states: readonly State[]): Generator<Wrong> {
  for (const { user, asides } of clients) {
    const removed = asides.find(({ message }) => message.type === 'lobby:kicked');
    if (!removed) continue;
    if (members.includes(user.id)) yield [`${user.name} was removed, and is a member`];
    for (const { userId, fromMs, refusal } of joins)
      if (userId === user.id && fromMs > removed.atMs && !REMOVED_CODES.includes(refusal))
        yield [`${user.name} was removed, but a later join got ${refusal}`];
    const isThere = states.map(({ lobby }) => lobby.players.some(({ userId }) => userId === user.id));
    const gone = isThere.indexOf(false, Math.max(0, isThere.indexOf(true)));
    const again = isThere.lastIndexOf(true);
    if (gone >= 0 && again > gone) yield [`${user.name} was removed, and is there again`, states[again]];
  }
}

function* lockedDoors({ joins }: LobbyHistory, states: readonly State[]): Generator<Wrong> {
  for (const [index, state] of states.entries()) {
    const { seq, lobby } = state;
    const before = states[index - 1];
    if (!before?.lobby.locked || !lobby.locked || before.seq !== seq - 1) continue;
    const known = new Set(before.lobby.players.map(({ userId }) => userId));
    const isNew = lobby.players.some(({ userId }) => !known.has(userId));
    if (isNew) yield [`number ${seq}: somebody joined a locked lobby`, state];
  }
  const isLocked = states.some(({ lobby }) => lobby.locked);
  for (const { userId, refusal } of joins)
    if (refusal === 'LOBBY_LOCKED' && !isLocked) yield [`${userId} was refused by a lock that never was`];
}

function* wrongPresenters(history: LobbyHistory, log: readonly ServerEvent[]): Generator<Wrong> {
  const { hostPlays = true } = history.settings;
  for (const [gameId, events] of gamesOf(log)) {
    const start = events[0]?.seq ?? 0;
    const before = log.findLast(({ seq, type }) => seq < start && type === 'lobby:state');
    if (before?.type !== 'lobby:state') continue;
    const presenters = before.lobby.players.filter(({ plays }) => !plays);
    const expected = hostPlays ? [] : [before.lobby.hostId];
    if (presenters.map(({ userId }) => userId).join() !== expected.join())
      yield [`game ${gameId} is presented by ${presenters.map(({ name }) => name)}, not ${expected}`, before];
    for (const presenter of presenters) {
      const own = history.clients.filter(({ user }) => user.id === presenter.userId);
      for (const event of events) {
        if (takesPart(presenter, event)) yield [`${presenter.name} presents, and is in ${event.type}`, event];
        const answers = event.type === 'game:question' ? answersOf(own, event.question.questionId) : [];
        for (const answer of answers.filter(isTaken))
          yield [`${presenter.name} presents, and an answer is ${answer.refusal?.reason ?? 'taken'}`, event];
      }
    }
  }
}

/** An answer of a host who presents is refused with NOT_IN_GAME. [contract 11] */
function isTaken(sent: Pick<Sent, 'refusal' | 'replies'>): boolean {
  const { code = 0, reason } = sent.refusal ?? {};
  const isPassing = code >= 500 || code === 429;
  return !isPassing && reason !== 'NOT_IN_GAME' && (reason !== undefined || isStanding(sent));
}

/** Names that the service makes unique or gives differ from each other. [contract 22] */
function* sameNames(states: readonly State[]): Generator<Wrong> {
  for (const state of states) {
    const { settings, players } = state.lobby;
    if (settings.names !== 'unique' && settings.names !== 'given') continue;
    const names = new Set(players.map(({ name }) => name));
    if (names.size < players.length) yield [`number ${state.seq}: two players have one name`, state];
  }
}

function takesPart({ userId }: Member, event: ServerEvent): boolean {
  const isNamed = (of: readonly { userId: string }[]) => of.some((one) => one.userId === userId);
  if (event.type === 'game:finished') return isNamed(event.scores) || event.winnerIds.includes(userId);
  return event.type === 'game:answer_result' && (isNamed(event.answers ?? []) || isNamed(event.scores));
}

/** `game:progress` goes only to the host who presents, and never after the round's result. */
function* wrongProgress({ user, asides, received }: Client, states: readonly State[]): Generator<Wrong> {
  for (const { message, connection, after } of asides) {
    if (message.type !== 'game:progress') continue;
    const { gameId, round, answered, awaited } = message;
    if (answered > awaited) yield [`${answered} of ${awaited} have answered in round ${round}`];
    if (!states.some(({ lobby }) => lobby.hostId === user.id && !lobby.settings.hostPlays))
      yield [`${user.name} does not present, but got game:progress of round ${round}`];
    const before = received.slice(0, after).filter((told) => told.connection === connection);
    const results = before.flatMap(({ event }) => (event.type === 'game:answer_result' ? event : []));
    if (results.some((result) => result.gameId === gameId && result.round >= round))
      yield [`${user.name} got game:progress of round ${round} after its result`];
  }
}
