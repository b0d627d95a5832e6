// The account that waits for the confirmation of its address. The address survives a reload. The password is
// only in memory, so that the page can sign in by itself after the confirmation.
import { load, save } from '../ui/storage.ts';

interface PendingAccount {
  email: string;
  /** The path to go to after the confirmation. */
  next: string;
}

const KEY = 'pending-account';

let password: string | null = null;

export function savePending(account: PendingAccount, typedPassword: string): void {
  save('tab', KEY, account);
  password = typedPassword;
}

/** @returns the account; its password is null after a reload */
export function pendingAccount(): (PendingAccount & { password: string | null }) | null {
  const account = load<PendingAccount>('tab', KEY);
  return account && { ...account, password };
}

export function clearPending(): void {
  save('tab', KEY, null);
  password = null;
}
