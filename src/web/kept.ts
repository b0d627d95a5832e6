// The games of this tab, and the list that is being written, kept over a reload: for the user who played them, and nobody else.
import type { LobbyPosition } from '../client/lobby.ts';
import { EMPTY_STATE, type GameState, withoutOthers, withoutTimes } from './game-state.ts';
import type { Draft } from './lists/draft.ts';
import { type Quiz, questionAt } from './quiz-state.ts';
import { load, save } from './storage.ts';

const QUIZ = 'quiz';
const LOBBY = 'lobby';
const DRAFT = 'list-draft';

export interface KeptLobby {
  code: string;
  state: GameState;
  /** Behind the last event in it. */
  position: LobbyPosition | undefined;
}

interface KeptDraft {
  listId: string;
  draft: Draft;
}

type Owned<T> = T & { userId: string };

/** @returns the quiz that was going on, or null */
export function keptQuiz(userId: string): Quiz | null {
  return ownedBy(userId, load<Owned<Quiz>>('tab', QUIZ));
}

/** @param quiz null forgets it */
export function keepQuiz(userId: string, quiz: Quiz | null): void {
  save('tab', QUIZ, quiz && { ...quiz, userId });
}

/** @returns the lobby that was open last, or null */
export function keptLobby(userId: string): KeptLobby | null {
  const kept = ownedBy(userId, load<Owned<KeptLobby>>('tab', LOBBY));
  // A page of the release before has kept less.
  return kept && { ...kept, state: { ...EMPTY_STATE, ...kept.state } };
}

/** @returns what is known of a lobby: everything so far, or nothing yet */
export function keptOrNewLobby(userId: string, code: string): KeptLobby {
  const kept = keptLobby(userId);
  return kept?.code === code ? kept : { code, state: EMPTY_STATE, position: undefined };
}

export function keepLobby(userId: string, lobby: KeptLobby): void {
  save('tab', LOBBY, { ...lobby, state: withoutOthers(withoutTimes(lobby.state), userId), userId });
}

export function forgetLobby(): void {
  save('tab', LOBBY, null);
}

/** @param listId `new` of one that isn't saved yet @returns what was changed of it and not saved, or null */
export function keptDraft(userId: string, listId: string): Draft | null {
  const kept = ownedBy(userId, load<Owned<KeptDraft>>('tab', DRAFT));
  return kept?.listId === listId ? kept.draft : null;
}

/** One draft at a time. @param draft null forgets it */
export function keepDraft(userId: string, listId: string, draft: Draft | null): void {
  save('tab', DRAFT, draft && { draft, listId, userId });
}

/** @returns whether a game or a quiz of this tab is still going on */
export function isPlaying(userId: string): boolean {
  return openLobby(userId) !== null || openQuiz(userId) !== null;
}

/** @returns the lobby of this tab, unless its game is over */
export function openLobby(userId: string): KeptLobby | null {
  const kept = keptLobby(userId);
  return kept && !kept.state.winnerIds && !kept.state.closed ? kept : null;
}

/** @returns the quiz of this tab, unless all of it is answered */
export function openQuiz(userId: string): Quiz | null {
  const kept = keptQuiz(userId);
  return kept && questionAt(kept) ? kept : null;
}

function ownedBy<T>(userId: string, kept: Owned<T> | null): T | null {
  return kept?.userId === userId ? kept : null;
}
