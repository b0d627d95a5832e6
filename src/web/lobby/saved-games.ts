// The state of this tab that survives a reload: the quiz, the lobby and the draft of a list. Each is stored
// with the user's id, so that another user of the browser does not get it.
import type { LobbyPosition } from '../../client/lobby.ts';
import { EMPTY_STATE, type GameState, withoutOthers, withoutTimes } from '../game/game-state.ts';
import type { Draft } from '../lists/draft.ts';
import { partOf, type Quiz, questionAt } from '../quiz/quiz-state.ts';
import { load, save } from '../ui/storage.ts';

const QUIZ = 'quiz';
const LOBBY = 'lobby';
const DRAFT = 'list-draft';

interface SavedLobby {
  code: string;
  state: GameState;
  /** The position behind the last event in `state`. */
  position: LobbyPosition | undefined;
}

type Owned<T> = T & { userId: string };

export function savedQuiz(userId: string): Quiz | null {
  return ownedBy(userId, load<Owned<Quiz>>('tab', QUIZ));
}

/** @param quiz null removes it */
export function saveQuiz(userId: string, quiz: Quiz | null): void {
  save('tab', QUIZ, quiz && { ...quiz, userId });
}

function savedLobby(userId: string): SavedLobby | null {
  return ownedBy(userId, load<Owned<SavedLobby>>('tab', LOBBY));
}

/** @returns the saved state of this lobby, or an empty one */
export function savedOrNewLobby(userId: string, code: string): SavedLobby {
  const saved = savedLobby(userId);
  return saved?.code === code ? saved : { code, state: EMPTY_STATE, position: undefined };
}

export function saveLobby(userId: string, lobby: SavedLobby): void {
  save('tab', LOBBY, { ...lobby, state: withoutOthers(withoutTimes(lobby.state), userId), userId });
}

export function clearLobby(): void {
  save('tab', LOBBY, null);
}

/** @returns the list's unsaved changes, or null */
export function savedDraft(userId: string, listId: string): Draft | null {
  const saved = ownedBy(userId, load<Owned<{ listId: string; draft: Draft }>>('tab', DRAFT));
  return saved?.listId === listId ? saved.draft : null;
}

/** Stores a draft in place of the one before, since a tab has one. @param draft null removes it */
export function saveDraft(userId: string, listId: string, draft: Draft | null): void {
  save('tab', DRAFT, draft && { draft, listId, userId });
}

/** @returns whether a game or a quiz of this tab is not over */
export function isPlaying(userId: string): boolean {
  const game = savedLobby(userId)?.state;
  return (game && !game.winnerIds && !game.closed) || openQuiz(userId) !== null;
}

/** @returns the quiz of this tab, unless it is over */
export function openQuiz(userId: string): Quiz | null {
  const saved = savedQuiz(userId);
  return saved && questionAt(partOf(saved)) ? saved : null;
}

function ownedBy<T>(userId: string, saved: Owned<T> | null): T | null {
  return saved?.userId === userId ? saved : null;
}
