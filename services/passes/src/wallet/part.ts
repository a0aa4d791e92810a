import type { Backend, ConsumerSpec } from '@laurel/backend';
import type { Job } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { settings } from '../config';
import type { CoreDeps } from '../core/deps';

/** What passes are on phones: Apple and Google wallets, links, pushes and previews. */
export const walletSettings = {} as const;

export const walletIndexes: readonly CollectionIndexes[] = [];

export type WalletDeps = ReturnType<typeof createWalletDeps>;

export function createWalletDeps(_connection: Connection, _backend: Backend<typeof settings>) {
  return {};
}

export const walletHandlers = (_deps: CoreDeps & WalletDeps) =>
  ({}) satisfies Partial<Handlers<'passes'>>;

export const walletConsumers = (_deps: CoreDeps & WalletDeps): ConsumerSpec[] => [];

export const walletJobs = (_deps: CoreDeps & WalletDeps): Job[] => [];
