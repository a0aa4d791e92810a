import type { ConsumerSettings } from '@laurel/events';

type Without<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never;

/** One queue of a service, `<service>.<purpose>`, and what it does with each event. */
export type ConsumerSpec = Without<
  ConsumerSettings,
  'broker' | 'connection' | 'logger' | 'ordered'
> & {
  /** Events about one subject one after the other in all replicas (docs/adr/0040). */
  ordered?: true;
};
