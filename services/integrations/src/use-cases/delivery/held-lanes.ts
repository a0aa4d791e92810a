import { type Logger, later, runInBackground } from '@laurel/lifecycle';
import { whyHeldBack } from '../../domain/decide-delivery';
import type { LaneStore } from '../../store/lanes';
import { Lane } from './lane';
import type { LaneWork } from './lane-work';

const LEASE_MS = 15_000;
/** How long a lane is kept after its last delivery, so that a steady trickle does not take it each time. */
const LINGER_MS = 200;
const LANES_MAX = 2_000;
export const FAULT_PAUSE_MS = 500;
/** Names the work in logs: it belongs to no request or event that poked it. */
export const SENDING = 'integrations.sender';

export interface Webhookish {
  workspaceId: string;
  webhookId: string;
}

export interface HeldLanesDeps {
  owner: string;
  leases: LaneStore;
  work: LaneWork;
  logger: Logger;
  /** In flight to one endpoint at most. */
  concurrency: number;
  /** Starts whatever may start. */
  send: () => void;
}

/** The lanes whose leases this process has: how they are taken, seen to and given back. */
export class HeldLanes {
  readonly byWebhook = new Map<string, Lane>();
  private readonly taking = new Set<string>();
  private readonly tending = new Map<string, { again: boolean }>();
  private readonly visits = new Set<Promise<void>>();
  private readonly deps: HeldLanesDeps;
  private stopping = false;

  constructor(deps: HeldLanesDeps) {
    this.deps = deps;
  }

  /** Takes a lane, or tells its holder that there is work. */
  async take({ workspaceId, webhookId }: Webhookish): Promise<void> {
    if (this.stopping || this.taking.has(webhookId) || this.byWebhook.has(webhookId)) return;
    if (this.byWebhook.size >= LANES_MAX) return;
    const { leases, owner, logger, concurrency: limitMax } = this.deps;
    this.taking.add(webhookId);
    try {
      const leaseUntil = Date.now() + LEASE_MS;
      if (await leases.take(workspaceId, webhookId, { owner, leaseMs: LEASE_MS })) {
        const lane = new Lane({ workspaceId, webhookId, leaseUntil, limitMax });
        this.byWebhook.set(webhookId, lane);
        this.tend(lane);
      } else await leases.nudge(workspaceId, webhookId);
    } catch (error) {
      logger.error({ err: error, webhook_id: webhookId }, 'a lane could not be taken');
    } finally {
      this.taking.delete(webhookId);
    }
  }

  /** Takes lanes that have work and no holder. */
  async takeDue(): Promise<void> {
    const room = LANES_MAX - this.byWebhook.size;
    if (room <= 0) return;
    const free = await this.deps.leases.dueAndFree(room);
    await Promise.all(
      free.map((row) => this.take({ workspaceId: row.workspace_id, webhookId: row._id })),
    );
  }

  /** Sees to a lane: one visit at a time, and another one if something happened meanwhile. */
  tend(lane: Lane): void {
    const current = this.tending.get(lane.webhookId);
    if (current) {
      current.again = true;
      return;
    }
    const started = { again: false };
    this.tending.set(lane.webhookId, started);
    const visit: Promise<void> = runInBackground(SENDING, () => this.visit(lane))
      .catch((error: unknown) => {
        const fields = { err: error, webhook_id: lane.webhookId };
        this.deps.logger.error(fields, 'a lane could not be worked on');
        lane.dirty = true;
        later(SENDING, FAULT_PAUSE_MS, () => this.tend(lane));
      })
      .finally(() => {
        this.visits.delete(visit);
        this.tending.delete(lane.webhookId);
        if (started.again && !this.stopping) this.tend(lane);
      });
    this.visits.add(visit);
  }

  /** Prolongs the leases; a lane that is another's by now is left. */
  async renew(): Promise<void> {
    if (this.byWebhook.size === 0) return;
    const startedAt = Date.now();
    const mine = await this.deps.leases.renew(this.deps.owner, LEASE_MS);
    for (const lane of [...this.byWebhook.values()]) {
      if (mine.has(lane.webhookId))
        lane.leaseUntil = Math.max(lane.leaseUntil, startedAt + LEASE_MS);
      else if (lane.leaseUntil < startedAt + LEASE_MS) {
        lane.leaseUntil = 0;
        this.tend(lane);
      }
    }
  }

  /** Reads the endpoints of all lanes anew. */
  async refresh(): Promise<void> {
    const known = [...this.byWebhook.values()].filter((lane) => lane.known);
    await this.deps.work.refresh(known);
    for (const lane of known) if (lane.isClosed(Date.now())) this.tend(lane);
  }

  /** From here on nothing is taken, loaded or given back one by one. */
  close(): void {
    this.stopping = true;
  }

  /** Gives all lanes back once the work at them has ended. */
  async releaseAll(): Promise<void> {
    await Promise.all(this.visits);
    await this.deps.leases.releaseAll(this.deps.owner);
  }

  private async visit(lane: Lane): Promise<void> {
    const { work, send } = this.deps;
    if (this.byWebhook.get(lane.webhookId) !== lane || this.stopping) return;
    if (!lane.known) {
      await work.refresh([lane]);
      lane.known = true;
    }
    if (lane.isClosed(Date.now())) return this.leave(lane);
    while (work.wantsMore(lane) && !this.stopping) {
      await work.load(lane);
      send();
    }
    send();
    if (lane.isIdle) this.linger(lane);
  }

  private linger(lane: Lane): void {
    lane.lingering?.cancel();
    lane.lingering = later(SENDING, LINGER_MS, () => void this.release(lane));
  }

  /** Leaves a lane that may not send: paused, inactive, deleted or another's by now. */
  private async leave(lane: Lane): Promise<void> {
    const { work } = this.deps;
    lane.drop();
    lane.dirty = false;
    lane.hasMore = false;
    if (!lane.isIdle) return;
    if (lane.webhook === undefined) {
      await work.purge(lane);
      this.forget(lane);
    } else if (lane.leaseUntil <= Date.now()) this.forget(lane);
    else {
      if (whyHeldBack(lane.webhook, new Date()) === 'webhook_gone') await work.giveUp(lane);
      await this.release(lane);
    }
  }

  private async release(lane: Lane): Promise<void> {
    const { work, logger } = this.deps;
    if (this.byWebhook.get(lane.webhookId) !== lane || !lane.isIdle || this.stopping) return;
    try {
      if (await work.giveBack(lane)) {
        this.forget(lane);
        // A poke that came while the lane was on its way back found it still here.
        if (lane.dirty) void this.take(lane);
        return;
      }
    } catch (error) {
      logger.error({ err: error, webhook_id: lane.webhookId }, 'a lane could not be given back');
      lane.dirty = true;
    }
    setImmediate(() => this.tend(lane));
  }

  private forget(lane: Lane): void {
    lane.lingering?.cancel();
    if (this.byWebhook.get(lane.webhookId) === lane) this.byWebhook.delete(lane.webhookId);
  }
}
