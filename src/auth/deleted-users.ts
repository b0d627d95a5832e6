// Who is being deleted, or was within a day, is in PostgreSQL's `user_deletion`. [contract 17]

/** What stored results call those who are no more. */
export const DELETED_NAME = 'Deleted player';
