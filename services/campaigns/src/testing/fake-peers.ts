import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { platform, Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import type {
  clients as clientsApi,
  passes as passesApi,
  rewards as rewardsApi,
} from '@laurel/rpc';
import type { Deps } from '../deps';

type Peers = Pick<Deps, 'clients' | 'passes' | 'rewards' | 'tiers'>;
type Command = 'give' | 'push' | 'switch' | 'update' | 'assign';

/** One thing that was done to somebody, under the name that keeps it from being done again. */
export interface Effect {
  command: Command;
  /** The client, or the pass. */
  whom: string;
  /** Of a pass: who is to have it then. */
  meantFor?: string | undefined;
}

const PAGE_MAX = 1_000;

/** What came of one of several; `is_missing` where the pass is of no client. */
interface Answered {
  id: string;
  refusal?: string;
  is_missing?: boolean;
}

/** The other services in memory, with the promise that the real ones keep: one operation, one effect. */
export class FakePeers {
  readonly people = new Map<string, clientsApi.Client>();
  readonly passesOf = new Map<string, string[]>();
  readonly segments = new Map<string, string[]>();
  /** By operation. */
  readonly effects = new Map<string, Effect>();
  readonly trail = new Map<string, clientsApi.TrailEntry>();
  /** Whether the clients service is still at a merge. */
  isMerging = false;
  /** Whom merged clients became. */
  readonly successors = new Map<string, string>();
  /** What was refused under an operation, where that is kept as well. */
  private readonly refused = new Map<string, Refusal>();
  readonly rewards = new Set<string>();
  /** What there is of rewards at a moment. */
  readonly supplies = new Map<string, (at: string) => rewardsApi.Supply>();
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

  /** The clients and passes services are done with a merge. */
  merge(source: string, target: string): void {
    this.people.delete(source);
    this.successors.set(source, target);
    const cards = this.passesOf.get(source);
    if (cards) this.passesOf.set(target, [...(this.passesOf.get(target) ?? []), ...cards]);
    this.passesOf.delete(source);
  }

  asPeers(): Peers {
    return {
      clients: {
        GetClients: async ({ ids }) => ({
          clients: ids.flatMap((id) => this.people.get(id) ?? []),
        }),
        ListSuccessors: async ({ ids }) => ({ successors: this.successorsOf(ids) }),
        CheckCustomFields: async () => ({}),
        GetSegments: async ({ ids }) => ({
          segments: ids.filter((id) => this.segments.has(id)).map((id) => ({ id }) as never),
        }),
        CountSegment: async ({ id }) => ({ total: this.activeOf(id).length }),
        ListSegmentClients: async (request) => this.pageOf(request),
        // Each of the clients came once, on the first day, and spent 2.5.
        MeasureActivity: async ({ client_ids: { length }, day_starts }) => {
          const came = { returned: length, redeemed: 0, spent: length * 2.5 };
          const nobody = { returned: 0, redeemed: 0, spent: 0 };
          return { whole: came, days: day_starts.map((_, at) => (at === 0 ? came : nobody)) };
        },
        MeasureAudience: async (request) => this.measure(request),
        UpdateCustomFields: async ({ changes }) => {
          const clients = await this.applyAll('update', changes);
          return { clients: clients.map(({ id, ...refused }) => ({ client_id: id, ...refused })) };
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
          const items = notices.map(({ pass_id, operation_id, client_id: meantFor }) => ({
            client_id: pass_id,
            operation_id,
            meantFor,
          }));
          const passes = await this.applyAll('push', items);
          return { passes: passes.map(({ id, ...refused }) => ({ pass_id: id, ...refused })) };
        },
        UpdatePass: async ({ id, for_client_id: meantFor }) => {
          await this.apply(kept(), { command: 'switch', whom: id, meantFor });
          return {} as never;
        },
      },
      rewards: {
        GetRewards: async ({ ids }) => ({
          rewards: ids.filter((id) => this.rewards.has(id)).map((id) => ({ id }) as never),
        }),
        MeasureSupplies: async ({ ids, at }) => ({
          supplies: ids.flatMap((id) => this.supplies.get(id)?.(at) ?? []),
        }),
        GiveRewards: async (request) => ({ given: await this.give(request) }),
      },
      tiers: {
        GetTiers: async ({ ids }) => ({
          tiers: ids
            .filter((id) => this.tiers.has(id))
            .map((id) => ({ id, name: 'Gold', kind: this.tiers.get(id) }) as never),
        }),
        AssignTiers: async ({ assignments }) => {
          const clients = await this.applyAll('assign', assignments);
          return { clients: clients.map(({ id, ...refused }) => ({ client_id: id, ...refused })) };
        },
      },
    };
  }

  private pageOf({
    id,
    limit,
    cursor = '0',
  }: clientsApi.ListSegmentClientsRequest): clientsApi.SegmentClients {
    const clients = this.activeOf(id);
    const to = Number(cursor) + Math.min(limit, PAGE_MAX);
    const next_cursor = to < clients.length ? String(to) : null;
    const page = { clients: clients.slice(Number(cursor), to), next_cursor };
    return { ...page, merging: this.isMerging };
  }

  private successorsOf(ids: readonly string[]): clientsApi.Successor[] {
    return ids.flatMap((id) => {
      const current_id = this.successors.get(id);
      return current_id === undefined ? [] : [{ id, current_id }];
    });
  }

  private async give({
    reward_id,
    gifts,
  }: rewardsApi.GiveRewardsRequest): Promise<rewardsApi.GivenReward[]> {
    const named = gifts.map(({ client_id, operation_id }) => ({
      client_id,
      operation_id: `${operation_id}:${reward_id}`,
    }));
    const given = await this.applyAll('give', named);
    return given.map(({ id, refusal }, at) => ({
      client_id: id,
      ...(refusal === undefined ? { redemption_id: named[at]!.operation_id } : { refusal }),
    }));
  }

  private measure({
    segment_id,
    client_ids,
    locks,
  }: clientsApi.MeasureAudienceRequest): clientsApi.AudienceMeasure {
    const listed = client_ids.flatMap((id) => this.people.get(id) ?? []);
    const found = segment_id === undefined ? listed : this.activeOf(segment_id);
    const active = found.filter(({ status }) => status === 'active');
    const hasPass = ({ id }: clientsApi.Client) => this.passesOf.has(id);
    const consenting = active.filter((client) => client.marketing_consent);
    const enabled = active.filter((client) => client.loyalty_program_enabled !== false);
    const inTier = ({ tier_ids: ids, assigned_tier_id: assigned }: clientsApi.AudienceLock) => {
      if (assigned === undefined || ids.length === 0) return active.length - ids.length;
      return ids.includes(assigned) ? enabled.length : 0;
    };
    return {
      total: active.length,
      reachable: active.filter(hasPass).length,
      consenting: consenting.length,
      addressable: consenting.filter(hasPass).length,
      loyalty_enabled: enabled.length,
      // A lock leaves out as many as it names, but for tiers that are assigned before.
      admissions: locks.map((lock) => ({
        by_tier: inTier(lock),
        admitted: Math.max(0, inTier(lock) - lock.segment_ids.length),
      })),
    };
  }

  private activeOf(segmentId: string): clientsApi.Client[] {
    const ids = this.segments.get(segmentId);
    if (!ids) throw platform.recordNotFound();
    return ids
      .flatMap((id) => this.people.get(id) ?? [])
      .filter(({ status }) => status === 'active');
  }

  /** One after the other; what is refused to one is done to the others, what fails ends all. */
  private async applyAll(
    command: Command,
    items: readonly { client_id: string; operation_id: string; meantFor?: string | undefined }[],
  ): Promise<Answered[]> {
    const applied: Answered[] = [];
    for (const { client_id: id, operation_id, meantFor } of items) {
      try {
        await this.apply(operation_id, { command, whom: id, meantFor });
        applied.push({ id });
      } catch (error) {
        if (!(error instanceof Refusal) || error.httpStatus >= 500) throw error;
        const isMissing = meantFor !== undefined && error.code === 'RECORD_NOT_FOUND';
        const missing = isMissing ? { is_missing: true } : {};
        applied.push({ id, refusal: error.message, ...missing });
      }
    }
    return applied;
  }

  private async apply(operation: string, effect: Effect): Promise<void> {
    this.asked += 1;
    await yieldToOthers();
    await this.before(effect);
    if (this.effects.has(operation)) return;
    // Not kept: whose pass it is may get the same under the same name.
    this.requireMeant(effect);
    const refusal = this.refused.get(operation) ?? this.refusalOf(effect);
    if (!refusal) return void this.effects.set(operation, effect);
    // A gift may be tried again; of the others the answer is kept, whatever it was.
    if (effect.command !== 'give') this.refused.set(operation, refusal);
    throw refusal;
  }

  private requireMeant({ whom: pass, meantFor }: Effect): void {
    if (meantFor === undefined || this.passesOf.get(meantFor)?.includes(pass)) return;
    const [holder] = [...this.passesOf].find(([, passes]) => passes.includes(pass)) ?? [];
    const nowOf = (id: string) => this.successors.get(id) ?? id;
    if (holder === undefined) throw platform.recordNotFound();
    if (nowOf(holder) !== nowOf(meantFor)) throw platform.conflict();
  }

  /** What is for clients is refused to one who is no more. */
  private refusalOf({ command, whom }: Effect): Refusal | null {
    const isForClients = ['give', 'update', 'assign'].includes(command);
    return isForClients && !this.people.has(whom) ? platform.recordNotFound() : null;
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
