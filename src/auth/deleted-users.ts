// The name of deleted users. The table `user_deletion` records deletions for a day. [contract 17]

/** The name of a deleted user in stored results. */
export const DELETED_NAME = 'Deleted player';
