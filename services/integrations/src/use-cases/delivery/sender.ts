import { type Logger, later, newId, runInBackground } from '@laurel/lifecycle';
import type { Vault } from '@laurel/vault';
import { startLoop } from '@laurel/work';
import type { Agent } from 'undici';
import type { AttemptStore } from '../../store/attempts';
import type { DeliveryStore } from '../../store/deliveries';
import type { EventStore } from '../../store/events';
import type { LaneStore } from '../../store/lanes';
import type { WebhookRow, WebhookStore } from '../../store/webhooks';
import type { Departing } from '../catch-up';
import { every } from './every';
import { Lane } from './lane';
import { createLaneWork } from './lane-work';
import { createPump, type PumpSettings } from './pump';
import { createRecorder } from './recorder';
import { type Consequence, isGoneForGood } from './verdict';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** How often it looks for lanes although nothing woke it, and how far ahead. */
const SWEEP_MS = 5_000;
const AHEAD_MS = 6_000;
const REFRESH_MS = 1_000;
/** How long a lane is kept after its last delivery, so that a steady trickle does not take it each time. */
const LINGER_MS = 200;
const LANES_MAX = 2_000;
const STOP_MS_MAX = 5_000;
const FAULT_PAUSE_MS = 500;
/** Names the work in logs: it belongs to no request or event that poked it. */
const SENDING = 'integrations.sender';

export interface SenderDeps extends Departing {
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  attempts: AttemptStore;
  events: EventStore;
  lanes: LaneStore;
  vault: Vault;
  agent: Agent;
  logger: Logger;
  /** Makes what an attempt means for its endpoint durable. */
  applyConsequence: (webhook: WebhookRow, consequence: Consequence) => Promise<void>;
}

export interface SenderSettings extends PumpSettings {
  /** In flight to one endpoint at most. */
  concurrency: number;
}

export interface Webhookish {
  workspaceId: string;
  webhookId: string;
}

export interface Sender {
  /** Says that something was committed for these webhooks: it leaves within milliseconds. */
  poke(webhooks: readonly Webhookish[]): void;
  /** Says that a webhook changed; resolves when this process sends by its new state. */
  changed(webhook: Webhookish): Promise<void>;
  /** Finishes what is in flight, within limits, and gives all lanes back. */
  stop(): Promise<void>;
}

/**
 * Sends what is due. A lease per webhook makes one process at a time its sender, on any number of
 * replicas; within the process, webhooks take turns, so that a slow or dead one delays nobody else.
 * Dying at any point leaves deliveries pending: they are sent again under the same webhook-id.
 */
export function startSender(deps: SenderDeps, settings: SenderSettings): Sender {
  const { lanes: leases, logger, agent } = deps;
  const owner = newId();
  const recorder = createRecorder(deps, logger);
  const work = createLaneWork({ ...deps, owner, record: (result) => recorder.record(result) });
  const lanes = new Map<string, Lane>();
  const taking = new Set<string>();
  const tending = new Map<string, { again: boolean }>();
  const visits = new Set<Promise<void>>();
  const pump = createPump({ ...deps, lanes, recorder, attempted: tend }, settings);
  let stopping = false;

  /** Sees to a lane: one visit at a time, and another one if something happened meanwhile. */
  function tend(lane: Lane): void {
    const current = tending.get(lane.webhookId);
    if (current) {
      current.again = true;
      return;
    }
    const started = { again: false };
    tending.set(lane.webhookId, started);
    const visit: Promise<void> = runInBackground(SENDING, () => visitLane(lane))
      .catch((error: unknown) => {
        logger.error({ err: error, webhook_id: lane.webhookId }, 'a lane could not be worked on');
        lane.dirty = true;
        later(SENDING, FAULT_PAUSE_MS, () => tend(lane));
      })
      .finally(() => {
        visits.delete(visit);
        tending.delete(lane.webhookId);
        if (started.again && !stopping) tend(lane);
      });
    visits.add(visit);
  }

  async function visitLane(lane: Lane): Promise<void> {
    if (lanes.get(lane.webhookId) !== lane || stopping) return;
    if (!lane.known) {
      await work.refresh([lane]);
      lane.known = true;
    }
    if (lane.isClosed(Date.now())) return closeLane(lane);
    while (work.wantsMore(lane) && !stopping) {
      await work.load(lane);
      pump.run();
    }
    pump.run();
    if (lane.isIdle) linger(lane);
  }

  function linger(lane: Lane): void {
    lane.lingering?.cancel();
    lane.lingering = later(SENDING, LINGER_MS, () => void release(lane));
  }

  /** Leaves a lane that may not send: paused, inactive, deleted or another's by now. */
  async function closeLane(lane: Lane): Promise<void> {
    lane.drop();
    lane.dirty = false;
    lane.hasMore = false;
    if (!lane.isIdle) return;
    if (lane.webhook === undefined) {
      await work.purge(lane);
      forget(lane);
    } else if (lane.leaseUntil <= Date.now()) forget(lane);
    else {
      if (isGoneForGood(lane.webhook)) await work.giveUp(lane);
      await release(lane);
    }
  }

  async function release(lane: Lane): Promise<void> {
    if (lanes.get(lane.webhookId) !== lane || !lane.isIdle || stopping) return;
    try {
      if (await work.giveBack(lane)) {
        forget(lane);
        // A poke that came while the lane was on its way back found it still here.
        if (lane.dirty) void take(lane);
        return;
      }
    } catch (error) {
      logger.error({ err: error, webhook_id: lane.webhookId }, 'a lane could not be given back');
      lane.dirty = true;
    }
    setImmediate(() => tend(lane));
  }

  function forget(lane: Lane): void {
    lane.lingering?.cancel();
    if (lanes.get(lane.webhookId) === lane) lanes.delete(lane.webhookId);
  }

  async function take({ workspaceId, webhookId }: Webhookish): Promise<void> {
    if (stopping || taking.has(webhookId) || lanes.has(webhookId) || lanes.size >= LANES_MAX)
      return;
    taking.add(webhookId);
    try {
      const leaseUntil = Date.now() + LEASE_MS;
      if (await leases.take(workspaceId, webhookId, { owner, leaseMs: LEASE_MS })) {
        const lane = new Lane({
          workspaceId,
          webhookId,
          leaseUntil,
          limitMax: settings.concurrency,
        });
        lanes.set(webhookId, lane);
        tend(lane);
      } else await leases.nudge(workspaceId, webhookId);
    } catch (error) {
      logger.error({ err: error, webhook_id: webhookId }, 'a lane could not be taken');
    } finally {
      taking.delete(webhookId);
    }
  }

  async function poll(): Promise<void> {
    const room = LANES_MAX - lanes.size;
    if (room <= 0) return;
    const free = await leases.dueAndFree(room);
    await Promise.all(
      free.map((row) => take({ workspaceId: row.workspace_id, webhookId: row._id })),
    );
  }

  async function renew(): Promise<void> {
    if (lanes.size === 0) return;
    const startedAt = Date.now();
    const mine = await leases.renew(owner, LEASE_MS);
    for (const lane of [...lanes.values()]) {
      if (mine.has(lane.webhookId))
        lane.leaseUntil = Math.max(lane.leaseUntil, startedAt + LEASE_MS);
      else if (lane.leaseUntil < startedAt + LEASE_MS) {
        lane.leaseUntil = 0;
        tend(lane);
      }
    }
  }

  async function refreshAll(): Promise<void> {
    const known = [...lanes.values()].filter((lane) => lane.known);
    await work.refresh(known);
    for (const lane of known) if (lane.isClosed(Date.now())) tend(lane);
  }

  const taker = startLoop({
    name: SENDING,
    sweepMs: SWEEP_MS,
    look: async (reason) => {
      try {
        const next =
          reason === 'sweep' ? await leases.due.next(new Date(Date.now() + AHEAD_MS)) : null;
        if (next && next.getTime() > Date.now()) return { at: next.getTime() };
        if (next || reason === 'woken') await poll();
        return {};
      } catch (error) {
        logger.error({ err: error }, 'the sender could not reach its store');
        return { at: Date.now() + FAULT_PAUSE_MS };
      }
    },
  });
  const unlisten = leases.due.onWake((at) => taker.wake(at));
  const timers = [every(RENEW_MS, renew, logger), every(REFRESH_MS, refreshAll, logger)];

  return {
    poke(pokedWebhooks) {
      for (const webhook of pokedWebhooks) {
        const lane = lanes.get(webhook.webhookId);
        if (!lane) void runInBackground(SENDING, () => take(webhook));
        else {
          lane.dirty = true;
          tend(lane);
        }
      }
    },
    async changed(webhook) {
      const lane = lanes.get(webhook.webhookId);
      if (lane) {
        await lane.settled;
        await work.refresh([lane]);
      }
      this.poke([webhook]);
    },
    async stop() {
      stopping = true;
      unlisten();
      await Promise.all([taker.stop(), ...timers.map((end) => end())]);
      await pump.stop(STOP_MS_MAX);
      await recorder.stop();
      await Promise.all(visits);
      await leases.releaseAll(owner);
      if (!agent.destroyed) await agent.close();
    },
  };
}
