// The names of the counters of invited guests and of invitations in Redis, each in a slot of its own.

/** @returns the key of the guests that came from a network by the code of a lobby or of something else with this id */
export function invitedKey(id: string, network: string): string {
  return `limit:invited:${id}:${network}`;
}

/** @returns the key of the guests that came from a network by any code */
export function invitedAddressKey(network: string): string {
  return `limit:invited_address:${network}`;
}

/** @returns the key of the invitations that a network has asked for */
export function invitationsKey(network: string): string {
  return `limit:invitation:${network}`;
}
