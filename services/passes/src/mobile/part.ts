import type { Backend, ConsumerSpec } from '@laurel/backend';
import type { Job } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { settings } from '../config';
import type { CoreDeps } from '../core/deps';

/** What the staff app runs on: its configuration, actions and reading passes. */
export const mobileSettings = {} as const;

export const mobileIndexes: readonly CollectionIndexes[] = [];

export type MobileDeps = ReturnType<typeof createMobileDeps>;

export function createMobileDeps(_connection: Connection, _backend: Backend<typeof settings>) {
  return {};
}

export const mobileHandlers = (_deps: CoreDeps & MobileDeps) =>
  ({}) satisfies Partial<Handlers<'passes'>>;

export const mobileConsumers = (_deps: CoreDeps & MobileDeps): ConsumerSpec[] => [];

export const mobileJobs = (_deps: CoreDeps & MobileDeps): Job[] => [];
