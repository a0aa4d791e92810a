import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { platform } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import type { clients as clientsApi, passes as passesApi } from '@laurel/rpc';
import type { Deps } from '../deps';

type Peers = Pick<Deps, 'clients' | 'passes' | 'rewards' | 'tiers'>;
type Command = 'give' | 'push' | 'switch' | 'update' | 'assign';

/** One thing that was done to somebody, under the name that keeps it from being done again. */
export interface Effect {
  command: Command;
  /** The client, or the pass. */
  whom: string;
}

const PAGE_MAX = 1_000;

/** The other services in memory, with the promise that the real ones keep: one operation, one effect. */
export class FakePeers {
  readonly people = new Map<string, clientsApi.Client>();
  readonly passesOf = new Map<string, string[]>();
  readonly segments = new Map<string, string[]>();
  /** By operation. */
  readonly effects = new Map<string, Effect>();
  readonly trail = new Map<string, clientsApi.TrailEntry>();
  readonly rewards = new Set<string>();
  readonly tiers = new Map<string, string>();
  readonly templates = new Set<string>();
  /** How often anything was asked to be done, repeats included. */
  asked = 0;
  /** Called before each effect; throws in its place, or stands in its way. */
  before: (effect: Effect) => Promise<void> | void = () => undefined;

  /** What was done, e.g. `give` to clients, in the order in which it was done. */
  done(command: Command): string[] {
    return [...this.effects.values()]
      .filter((effect) => effect.command === command)
      .map(({ whom }) => whom);
  }

  asPeers(): Peers {
    return {
      clients: {
        GetClients: async ({ ids }) => ({
          clients: ids.flatMap((id) => this.people.get(id) ?? []),
        }),
        CheckCustomFields: async () => ({}),
        GetSegments: async ({ ids }) => ({
          segments: ids.filter((id) => this.segments.has(id)).map((id) => ({ id }) as never),
        }),
        CountSegment: async ({ id }) => ({ total: this.activeOf(id).length }),
        ListSegmentClients: async ({ id, limit, cursor = '0' }) => {
          const clients = this.activeOf(id);
          const to = Number(cursor) + Math.min(limit, PAGE_MAX);
          const next_cursor = to < clients.length ? String(to) : null;
          return { clients: clients.slice(Number(cursor), to), next_cursor };
        },
        UpdateClient: async ({ id }) => {
          await this.apply(kept(), { command: 'update', whom: id });
          return {} as never;
        },
        RecordTrail: async ({ entries }) => {
          for (const entry of entries) this.trail.set(entry.id, entry);
          return {
            recorded: entries.length,
            stored_ids: entries.map(({ id }) => id),
            refund_links: [],
          };
        },
      },
      passes: {
        GetTemplates: async ({ ids }) => ({
          templates: ids.filter((id) => this.templates.has(id)).map((id) => ({ id }) as never),
        }),
        ListPassesOfClients: async ({ client_ids }) => ({
          passes: client_ids.flatMap((client_id) =>
            (this.passesOf.get(client_id) ?? []).map((id) => passOf(id, client_id)),
          ),
        }),
        NotifyPasses: async ({ notices }) => {
          for (const { pass_id, operation_id } of notices)
            await this.apply(operation_id, { command: 'push', whom: pass_id });
          return { passes: notices.map(({ pass_id }) => ({ pass_id })) };
        },
        UpdatePass: async ({ id, notification }) => {
          const command = notification === undefined ? 'switch' : 'push';
          await this.apply(kept(), { command, whom: id });
          return {} as never;
        },
      },
      rewards: {
        GetRewards: async ({ ids }) => ({
          rewards: ids.filter((id) => this.rewards.has(id)).map((id) => ({ id }) as never),
        }),
        GiveReward: async ({ client_id, reward_id, operation_id }) => {
          const operation = `${operation_id}:${reward_id}`;
          await this.apply(operation, { command: 'give', whom: client_id });
          return { redemption: { id: operation } as never };
        },
      },
      tiers: {
        GetTiers: async ({ ids }) => ({
          tiers: ids
            .filter((id) => this.tiers.has(id))
            .map((id) => ({ id, name: 'Gold', kind: this.tiers.get(id) }) as never),
        }),
        AssignTier: async ({ client_id }) => {
          await this.apply(kept(), { command: 'assign', whom: client_id });
          return {} as never;
        },
      },
    };
  }

  private activeOf(segmentId: string): clientsApi.Client[] {
    const ids = this.segments.get(segmentId);
    if (!ids) throw platform.recordNotFound();
    return ids
      .flatMap((id) => this.people.get(id) ?? [])
      .filter(({ status }) => status === 'active');
  }

  private async apply(operation: string, effect: Effect): Promise<void> {
    this.asked += 1;
    await yieldToOthers();
    await this.before(effect);
    if (!this.effects.has(operation)) this.effects.set(operation, effect);
  }
}

/** The operation of the calling context, which the service keeps with its reply. */
function kept(): string {
  const { operationId, operationKept } = currentContext();
  if (!operationKept) throw new Error('a command was sent that nobody would recognize again');
  return operationId;
}

function passOf(id: string, client_id: string): passesApi.Pass {
  return { id, client_id, project_id: id, pass_template_id: id } as passesApi.Pass;
}
