// An account that waits for its confirmation: the address over a reload, the password in memory
// alone, so that the page can sign in by itself once the address is confirmed.
import { load, save } from './storage.ts';

export interface PendingAccount {
  email: string;
  /** Where to go once it is confirmed. */
  next: string;
}

const KEY = 'pending-account';

let password: string | null = null;

export function keepPending(account: PendingAccount, typedPassword: string): void {
  save('tab', KEY, account);
  password = typedPassword;
}

/** @returns the account, and its password unless the page was loaded anew since */
export function pendingAccount(): (PendingAccount & { password: string | null }) | null {
  const account = load<PendingAccount>('tab', KEY);
  return account && { ...account, password };
}

export function forgetPending(): void {
  save('tab', KEY, null);
  password = null;
}
