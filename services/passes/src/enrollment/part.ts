import type { Backend, ConsumerSpec } from '@laurel/backend';
import type { Job } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection } from '@laurel/mongo';
import type { Handlers } from '@laurel/rpc';
import type { settings } from '../config';
import type { CoreDeps } from '../core/deps';

/** What gives passes out: distributions, enrollment forms, the embeddable widget. */
export const enrollmentSettings = {} as const;

export const enrollmentIndexes: readonly CollectionIndexes[] = [];

export type EnrollmentDeps = ReturnType<typeof createEnrollmentDeps>;

export function createEnrollmentDeps(_connection: Connection, _backend: Backend<typeof settings>) {
  return {};
}

export const enrollmentHandlers = (_deps: CoreDeps & EnrollmentDeps) =>
  ({}) satisfies Partial<Handlers<'passes'>>;

export const enrollmentConsumers = (_deps: CoreDeps & EnrollmentDeps): ConsumerSpec[] => [];

export const enrollmentJobs = (_deps: CoreDeps & EnrollmentDeps): Job[] => [];
