// Says for each column of the database where a user's export has it, or why it is left out. A column or table that is
// added has to be added here too. [contract 22]
import { WORD_STATES } from '../../src/learning/schema.ts';

/** Where the export has a column. */
export interface Exported {
  /** The fields that lead to the value; items of arrays need no name. */
  path: string;
  /** The value as the export has it; undefined where it is told in another form, and only the field is checked. */
  convert?: ((value: unknown) => unknown) | undefined;
}
/** Why the export does not have a column. */
export interface LeftOut {
  reason: string;
}

const at = (path: string, convert: Exported['convert'] = (value) => value): Exported => ({ path, convert });
const toldBy = (path: string): Exported => ({ path });
const not = (reason: string): LeftOut => ({ reason });

const SECRET = not('It is a secret.');
const DERIVED = not('It is computed from what is exported.');
const OF_THE_LOBBY = not('It is the lobby’s, and says nothing of the user.');
const OF_THE_WORKER = not('By it the worker knows what is left to do.');
const OWN_ID = at('account.userId');

/** The columns of a table, and the condition of a user's rows, in which $1 is the user's id. */
export interface UserTable {
  isOfUser: string;
  columns: Record<string, Exported | LeftOut>;
}

const columnsAt = (prefix: string, columns: Record<string, string>) =>
  Object.fromEntries(Object.entries(columns).map(([column, field]) => [column, at(`${prefix}.${field}`)]));
const DATES = { created_at: 'createdAt', updated_at: 'updatedAt' };

/** The tables with data of users. */
export const USER_TABLES: Record<string, UserTable> = {
  user: {
    isOfUser: 'id = $1',
    columns: {
      id: OWN_ID,
      ...columnsAt('account', { name: 'name', email: 'email', email_verified: 'emailVerified' }),
      ...columnsAt('account', { image: 'image', is_anonymous: 'isGuest', language: 'language', ...DATES }),
      two_factor_enabled: at('account.twoFactorEnabled'),
      invited: not('It only limits what a guest may store.'),
    },
  },
  account: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      ...columnsAt('account.signInMethods', { id: 'id', account_id: 'accountId', scope: 'scope' }),
      ...columnsAt('account.signInMethods', { provider_id: 'providerId', ...DATES }),
      access_token: SECRET,
      refresh_token: SECRET,
      id_token: SECRET,
      password: SECRET,
      access_token_expires_at: not('It is about a token, which is left out.'),
      refresh_token_expires_at: not('It is about a token, which is left out.'),
    },
  },
  passkey: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      ...columnsAt('account.passkeys', { id: 'id', name: 'name', device_type: 'deviceType' }),
      ...columnsAt('account.passkeys', { backed_up: 'backedUp', transports: 'transports' }),
      ...columnsAt('account.passkeys', { aaguid: 'aaguid', created_at: 'createdAt' }),
      public_key: SECRET,
      credential_id: SECRET,
      counter: not('It tells whether the key was copied.'),
    },
  },
  two_factor: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      verified: toldBy('account.twoFactorEnabled'),
      id: not('The user has one row at most.'),
      secret: SECRET,
      backup_codes: SECRET,
      failed_verification_count: not('The lock after failed codes is off.'),
      locked_until: not('The lock after failed codes is off.'),
    },
  },
  session: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      ...columnsAt('sessions', { id: 'id', ip_address: 'ipAddress', user_agent: 'userAgent' }),
      ...columnsAt('sessions', { expires_at: 'expiresAt', ...DATES }),
      token: SECRET,
    },
  },
  verification: {
    isOfUser: `value = $1::text AND identifier LIKE 'trust-device-%'`,
    columns: {
      ...columnsAt('account.trustedDevices', { id: 'id', expires_at: 'expiresAt' }),
      created_at: at('account.trustedDevices.createdAt'),
      updated_at: not('A trusted device is never changed; its use replaces it.'),
      identifier: SECRET,
      value: OWN_ID,
    },
  },
  guest_hand_over: {
    isOfUser: 'account_id = $1',
    columns: {
      account_id: OWN_ID,
      ...columnsAt('account.formerGuests', { guest_id: 'guestId', created_at: 'createdAt' }),
    },
  },
  word_list: {
    isOfUser: 'owner_id = $1',
    columns: {
      owner_id: OWN_ID,
      ...columnsAt('lists', { id: 'listId', name: 'name', shared: 'shared' }),
      ...columnsAt('lists', { source_language: 'sourceLanguage', term_count: 'termCount' }),
      ...columnsAt('lists', { target_language: 'targetLanguage', updated_at: 'updatedAt' }),
      terms: at('lists.terms', (terms) => (terms as unknown[])[0]),
      prompt_count: DERIVED,
      question_count: DERIVED,
      bytes: DERIVED,
      translation_keys: DERIVED,
      translation_terms: DERIVED,
      source_keys: DERIVED,
      source_terms: DERIVED,
      version: not('It tells replicas that the list has changed.'),
    },
  },
  learned_word: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      word: not('It is a hash of the deck or list, the prompt and the gloss.'),
      deck_id: toldBy('learnedWords.pos'),
      list_id: at('learnedWords.listId'),
      reverse: at('learnedWords.reverse', (reverse) => reverse || ''),
      ...columnsAt('learnedWords', { source_key: 'prompt', gloss: 'gloss' }),
      ...columnsAt('learnedWords.memory', { due: 'due', reviewed_at: 'reviewedAt', step: 'step' }),
      ...columnsAt('learnedWords.memory', { stability: 'stability', difficulty: 'difficulty' }),
      ...columnsAt('learnedWords.memory', { scheduled_days: 'scheduledDays', reps: 'reps' }),
      ...columnsAt('learnedWords.memory', { lapses: 'lapses', suspended: 'suspended' }),
      state: at('learnedWords.memory.state', (state) => WORD_STATES[state as number]),
    },
  },
  review_count: {
    isOfUser: 'user_id = $1',
    columns: { user_id: OWN_ID, ...columnsAt('account.reviewCounts', { quarter: 'quarter', reviews: 'reviews' }) },
  },
  lobby: {
    isOfUser: 'host_id = $1',
    columns: {
      ...columnsAt('account.lobbies', { id: 'lobbyId', code: 'code', status: 'status' }),
      ...columnsAt('account.lobbies', { settings: 'settings', game_id: 'gameId' }),
      created_at: at('account.lobbies.createdAt'),
      host_id: toldBy('account.lobbies.isHost'),
      presenter_id: toldBy('account.lobbies.isPresenter'),
      kicked_ids: toldBy('account.removedFrom.lobbyId'),
      capacity: OF_THE_LOBBY,
      player_count: OF_THE_LOBBY,
      version: OF_THE_LOBBY,
      active_at: OF_THE_LOBBY,
      locked: OF_THE_LOBBY,
    },
  },
  lobby_player: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      lobby_id: at('account.lobbies.lobbyId'),
      name: at('account.lobbies.name'),
      seat: OF_THE_LOBBY,
    },
  },
  lobby_name: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      lobby_id: OF_THE_LOBBY,
      name: not('The lobbies and the results of games have it.'),
      name_key: DERIVED,
      last_number: OF_THE_LOBBY,
    },
  },
  game: {
    isOfUser: 'presenter_id = $1',
    columns: {
      ...columnsAt('games', { id: 'gameId', code: 'code', settings: 'settings' }),
      ...columnsAt('games', { started_at: 'startedAt', finished_at: 'finishedAt' }),
      winner_ids: at('games.winnerIds', (ids) => (ids as string[])[0]),
      rounds: toldBy('games.rounds.answers'),
      // A game in which the user has no score was presented or hosted.
      presenter_id: toldBy('games.scores'),
      host_id: toldBy('games.scores'),
      compact: toldBy('games.settings'),
      learned_rounds: OF_THE_WORKER,
      learned: OF_THE_WORKER,
    },
  },
  game_score: {
    isOfUser: 'user_id = $1',
    columns: {
      game_id: at('games.gameId'),
      ...columnsAt('games.scores', { user_id: 'userId', name: 'name', score: 'score' }),
      correct: at('games.scores.correct'),
      position: not('The scores have this order.'),
      seat: toldBy('games.rounds.answers'),
    },
  },
  assignment: {
    isOfUser: 'owner_id = $1',
    columns: {
      owner_id: toldBy('assignments.startedCount'),
      ...columnsAt('assignments', { started_count: 'startedCount' }),
      guest_count: DERIVED,
      ...columnsAt('assignments', { id: 'assignmentId', code: 'code', title: 'title' }),
      ...columnsAt('assignments', { question_count: 'questionCount', answer_mode: 'answerMode' }),
      ...columnsAt('assignments', { attempts: 'attempts', opens_at: 'opensAt' }),
      ...columnsAt('assignments', { closes_at: 'closesAt', created_at: 'createdAt' }),
      words: toldBy('assignments.sourceLanguage'),
      questions: not('Its owner may still have to answer them.'),
    },
  },
  assignment_person: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      ...columnsAt('attempts', { assignment_id: 'assignmentId', name: 'name' }),
      is_guest: at('attempts.isGuest'),
      has_finished: DERIVED,
    },
  },
  assignment_attempt: {
    isOfUser: 'user_id = $1',
    columns: {
      user_id: OWN_ID,
      ...columnsAt('attempts', { id: 'sessionId', assignment_id: 'assignmentId' }),
      ...columnsAt('attempts', { number: 'attempt', started_at: 'startedAt' }),
      ...columnsAt('attempts', { finished_at: 'finishedAt', correct: 'correct' }),
      answers: toldBy('attempts.answers.selectedOptionId'),
      answered: DERIVED,
      secret: SECRET,
      learned: OF_THE_WORKER,
      unlearned_since: OF_THE_WORKER,
    },
  },
};

/** The tables whose rows are not the user's, or not the signed-in user's, and why. */
export const OTHER_TABLES: Record<string, string> = {
  deck: 'The built-in words.',
  term: 'The built-in words.',
  source: 'The origins of the built-in words.',
  import_progress: 'The position of an import of words by the previous release.',
  learned_quiz: 'The ids of quizzes, which name no user.',
  sign_up: 'After the first sign-in these are a stranger’s, and the worker removes them.',
  user_deletion: 'An account whose deletion has begun has no session.',
  _prisma_migrations: 'The applied migrations.',
};

/** The columns of other tables that hold ids, and what they refer to. */
export const OTHER_IDS: Record<string, string> = {
  'term.id': 'the term',
  'term.word': 'a hash of the deck, the prompt and the gloss',
  'learned_quiz.session_id': 'the quiz, whose key in Redis names the user until it has expired',
  'sign_up.id': 'the sign-up',
  'sign_up.user_id': 'the unconfirmed account',
  'user_deletion.user_id': 'the account that is deleted',
  'user_deletion.lobby_ids': 'the lobbies that it leaves',
};
