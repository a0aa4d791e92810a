import type { App, Staff } from './shapes';

/** What a till knows of its shop: kept, so that it opens without a network. */
export interface Known {
  staff: Pick<Staff, 'user' | 'workspace'>;
  app: App | null;
  currency: string;
}

const NAME = 'laurel.till';

/** What the till knew when it was last open: names of the shop and its actions, nothing of any customer. */
export function readKept(): Known | null {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? 'null') as Known | null;
  } catch {
    return null;
  }
}

export function writeKept(known: Known | null): void {
  try {
    if (known) localStorage.setItem(NAME, JSON.stringify(known));
    else localStorage.removeItem(NAME);
  } catch {
    // A browser that keeps nothing has a till that needs the network to open.
  }
}
