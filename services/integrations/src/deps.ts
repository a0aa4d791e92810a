import type { Outbox } from '@laurel/events';
import type { Connection } from '@laurel/mongo';
import type { ReferenceDirectory } from '@laurel/rpc';
import type { Vault } from '@laurel/vault';
import type { Agent } from 'undici';
import type { Bell } from '../feeds/bell';
import type { Sender } from '../sender/sender';
import type { AttemptStore } from '../store/attempts';
import type { DeliveryStore } from '../store/deliveries';
import type { ErasureStore } from '../store/erasures';
import type { EventStore } from '../store/events';
import type { FeedEntryStore } from '../store/feed-entries';
import type { FeedStore } from '../store/feeds';
import type { LaneStore } from '../store/lanes';
import type { ReplayStore } from '../store/replays';
import type { WebhookStore } from '../store/webhooks';

/** What the use cases of webhooks work with. */
export interface WebhookDeps {
  connection: Connection;
  outbox: Outbox;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  attempts: AttemptStore;
  events: EventStore;
  erasures: ErasureStore;
  feeds: FeedStore;
  feedEntries: FeedEntryStore;
  bell: Bell;
  lanes: LaneStore;
  replays: ReplayStore;
  vault: Vault;
  agent: Agent;
  sender: Pick<Sender, 'poke' | 'changed'>;
  references: ReferenceDirectory;
  settings: {
    allowInsecure: boolean;
    timeoutMs: number;
    /** How long events and deliveries are kept. */
    retentionDays: number;
    /** Names of the catalogue that a webhook may subscribe to. */
    webhookNames: readonly string[];
  };
}

const DAY_MS = 86_400_000;
/** These hold nothing about the person but that they are gone. */
export const TELLS_ERASURE: ReadonlySet<string> = new Set(['client.anonymized', 'client.deleted']);
/** What is on its way to receivers when a person is erased has this long to arrive. */
const ERASED_KEPT_MS = 60 * 60_000;

/** Until when events about somebody who was erased are kept. */
export const erasedUntil = (now: Date): Date => new Date(now.getTime() + ERASED_KEPT_MS);

export const keptUntil = (now: Date, retentionDays: number): Date =>
  new Date(now.getTime() + retentionDays * DAY_MS);
