import { randomBytes } from 'node:crypto';
import { loadConfig } from '@laurel/config';
import { type CloudEvent, createEvent, createOutbox, listenerFor } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import type { integrations } from '@laurel/rpc';
import {
  nothingReferenced,
  silentLogger,
  type TestStore,
  testServers,
  testStore,
} from '@laurel/testing';
import { createWebhooks } from '../assemble';
import { collections } from '../collections';
import { settings } from '../config';
import { followDepartures } from '../consumers';
import type { WebhookDeps } from '../deps';
import type { Departing } from '../use-cases/catch-up';
import { fanOutEvents } from '../use-cases/delivery/fan-out-events';
import type { Sender } from '../use-cases/delivery/sender';
import { createWebhook } from '../use-cases/webhook/create-webhook';

export const secretsKey = randomBytes(32).toString('base64');

type Parts = WebhookDeps & { sender: Sender };

/** Webhooks on a store of the test's own, with a sender running; without a broker. */
export class Workbench {
  readonly workspaceId = newId();
  private readonly replicas: Parts[] = [];
  private constructor(
    readonly store: TestStore,
    private readonly overrides: Record<string, string>,
  ) {}

  static async open(overrides: Record<string, string> = {}): Promise<Workbench> {
    const bench = new Workbench(await testStore(collections), overrides);
    bench.startReplica();
    return bench;
  }

  /** The first replica. */
  get parts(): Parts {
    return this.replicas[0]!;
  }

  startReplica(): Parts {
    const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
    const config = loadConfig(settings, {
      MONGODB_URI: mongodbUri,
      RABBITMQ_URL: rabbitmqUrl,
      REDIS_URL: redisUrl,
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOW_INSECURE: 'true',
      ...this.overrides,
    });
    const { connection } = this.store;
    const outbox = createOutbox(connection);
    const parts = createWebhooks(
      { config, connection, outbox, logger: silentLogger },
      nothingReferenced,
    );
    this.replicas.push(parts);
    return parts;
  }

  async register(
    url: string,
    eventTypes: string[] = ['*'],
    workspaceId = this.workspaceId,
  ): Promise<{ id: string; secret: string }> {
    const command: integrations.CreateWebhookRequest = {
      workspace_id: workspaceId,
      url,
      event_types: eventTypes,
    };
    const { data, secret } = await createWebhook(this.parts, command);
    return { id: data!.id, secret };
  }

  /** Commits events as the consumer does. */
  async happen(events: readonly CloudEvent[], replica: Parts = this.parts): Promise<void> {
    await fanOutEvents(replica, events, (effect) =>
      unitOfWork(this.store.connection, (session) => effect(session, [...events])),
    );
  }

  async erase(clientId: string, workspaceId = this.workspaceId): Promise<void> {
    const data = { client_id: clientId };
    await this.depart(createEvent('clients.anonymized', { workspaceId, subject: clientId, data }));
  }

  async merge(source: string, target: string, workspaceId = this.workspaceId): Promise<void> {
    const data = { source_client_id: source, target_client_id: target };
    await this.depart(createEvent('clients.merged', { workspaceId, subject: target, data }));
  }

  /** Twice, as brokers do. */
  private async depart(event: CloudEvent): Promise<void> {
    for (let time = 1; time <= 2; time += 1) await followDeparture(this.parts, event);
  }

  /** Custom events about one client, numbered in their metadata. */
  customEvents(count: number, clientId = newId(), workspaceId = this.workspaceId): CloudEvent[] {
    return Array.from({ length: count }, (_, number) =>
      customEvent({ workspaceId, clientId, number }),
    );
  }

  async deliveries(webhookId: string, workspaceId = this.workspaceId) {
    return this.parts.deliveries.list(workspaceId, webhookId, { limit: 10_000 });
  }

  /** Lets time pass for what waits for a retry. */
  async makeDue(webhookId: string, workspaceId = this.workspaceId): Promise<void> {
    await this.store.connection
      .collection('webhook_deliveries')
      .updateMany(
        { webhook_id: webhookId, status: 'pending' },
        { $set: { next_attempt_at: new Date() } },
      );
    this.parts.sender.poke([{ workspaceId, webhookId }]);
  }

  async webhook(id: string) {
    return (await this.parts.webhooks.byIds([id]))[0];
  }

  async close(): Promise<void> {
    for (const { bell } of this.replicas) bell.stop();
    await Promise.all(this.replicas.map(({ sender }) => sender.stop()));
    await this.store.drop();
  }
}

export function customEvent({
  workspaceId,
  clientId,
  number = 0,
  time = new Date(),
}: {
  workspaceId: string;
  clientId: string;
  number?: number;
  time?: Date;
}): CloudEvent {
  return createEvent('custom.visit', {
    workspaceId,
    subject: clientId,
    time,
    data: {
      id: newId(),
      workspace_id: workspaceId,
      pass_id: null,
      client_id: clientId,
      event_category: 'custom',
      event_type: 'visit',
      event_timestamp: time.toISOString(),
      source: 'api',
      external_id: null,
      metadata: { number },
      amount: null,
      currency: null,
      field_name: null,
      old_value: null,
      new_value: null,
    },
  });
}

/** A client goes, as the service hears of it. */
export async function followDeparture(parts: Departing, event: CloudEvent): Promise<void> {
  const inNoTransaction = () => Promise.reject(new Error('there may be too much for one'));
  await listenerFor(followDepartures(parts), event.type)!(event, inNoTransaction);
}
