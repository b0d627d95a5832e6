// The names of the keys of quizzes in Redis. On a Redis Cluster all keys of a script must be in one slot, so that all
// quizzes of a user, and the index of pending ones, have the same hash tag. A quiz's id begins with this tag, and not
// only the user's id has it, since an answer to another user's quiz must find that quiz. Two hexadecimal digits make
// 256 tags: enough to spread the load over the masters, and few enough to read all their indexes.
import { randomUUID } from 'node:crypto';

const TAG_DIGITS = 2;

const tagOf = (sessionId: string) => `{${sessionId.slice(0, TAG_DIGITS)}}`;

/** The place of a UUID's version in its text, and the version that RFC 9562 leaves to each application. */
const VERSION_AT = 14;
const OWN_VERSION = '8';

/** @returns the id of an attempt of an assignment: its version tells it from a quiz's id without SQL [contract 21] */
export function newAttemptId(): string {
  const id = randomUUID();
  return id.slice(0, VERSION_AT) + OWN_VERSION + id.slice(VERSION_AT + 1);
}

export const isAttemptId = (sessionId: string) => sessionId[VERSION_AT] === OWN_VERSION;

/** @returns a random UUID that begins with the last digits of the user's id, which are random as well */
export function newQuizId(userId: string): string {
  return userId.slice(-TAG_DIGITS) + randomUUID().slice(TAG_DIGITS);
}

export const quizKey = (sessionId: string) => `game:${tagOf(sessionId)}:${sessionId}`;

/** @returns the key of the list of the user's live quizzes */
export const liveKey = (sessionId: string, userId: string) => `quizzes:${tagOf(sessionId)}:${userId}`;

/** @returns the key of the quiz's pending answers, those that are not learned yet, which outlive the quiz by days [contract 13] */
export const reviewsKey = (sessionId: string) => `${quizKey(sessionId)}:unlearned`;

/** @returns the key of the index that contains the quiz while it has pending answers */
export const pendingKey = (sessionId: string) => `quizzes:${tagOf(sessionId)}:unlearned`;

/** @returns the key of the replies to the user's requests with a key, and that of their times [contract 23] */
export const repliesKeys = (sessionId: string, userId: string) =>
  ['replies', 'replies:times'].map((name) => `${liveKey(sessionId, userId)}:${name}`);

/** The keys of all indexes of pending quizzes. */
export const PENDING_KEYS = Array.from({ length: 16 ** TAG_DIGITS }, (_, tag) =>
  pendingKey(tag.toString(16).padStart(TAG_DIGITS, '0')),
);
