import { type Logger, newId, runInBackground } from '@laurel/lifecycle';
import type { Agents } from '@laurel/outbound';
import type { Vault } from '@laurel/secrets';
import { startLoop } from '@laurel/work';
import type { AttemptStore } from '../../store/attempts';
import type { DeliveryStore } from '../../store/deliveries';
import type { EventStore } from '../../store/events';
import type { LaneStore } from '../../store/lanes';
import type { WebhookRow, WebhookStore } from '../../store/webhooks';
import type { Departing } from '../catch-up';
import { every } from './every';
import { FAULT_PAUSE_MS, HeldLanes, SENDING, type Webhookish } from './held-lanes';
import { createLaneWork } from './lane-work';
import { Pump, type PumpSettings } from './pump';
import { createRecorder } from './recorder';
import type { Consequence } from './verdict';

const RENEW_MS = 5_000;
/** How often it looks for lanes although nothing woke it, and how far ahead. */
const SWEEP_MS = 5_000;
const AHEAD_MS = 6_000;
const REFRESH_MS = 1_000;
const STOP_MS_MAX = 5_000;

export interface SenderDeps extends Departing {
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  attempts: AttemptStore;
  events: EventStore;
  lanes: LaneStore;
  vault: Vault;
  /** By the id of the webhook. */
  agents: Agents;
  logger: Logger;
  /** Makes what an attempt means for its endpoint durable. */
  applyConsequence: (webhook: WebhookRow, consequence: Consequence) => Promise<void>;
}

export interface SenderSettings extends PumpSettings {
  /** In flight to one endpoint at most. */
  concurrency: number;
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
 * replicas; within the process, webhooks take turns, so that a slow or dead one delays no other.
 * Dying at any point leaves deliveries pending: they are sent again under the same webhook-id.
 */
export function startSender(deps: SenderDeps, settings: SenderSettings): Sender {
  const { lanes: leases, logger, agents } = deps;
  const { concurrency } = settings;
  const owner = newId();
  const recorder = createRecorder(deps, logger);
  const work = createLaneWork({ ...deps, owner, record: (result) => recorder.record(result) });
  const send = () => pump.run();
  const held = new HeldLanes({ owner, leases, work, logger, concurrency, send });
  const lanes = held.byWebhook;
  const attempted = held.tend.bind(held);
  const pump = new Pump({ ...deps, lanes, recorder, attempted }, settings);
  const taker = startTaker(leases, held, logger);
  const timers = [
    every(RENEW_MS, () => held.renew(), logger),
    every(REFRESH_MS, () => held.refresh(), logger),
  ];

  function poke(webhook: Webhookish): void {
    const lane = lanes.get(webhook.webhookId);
    if (!lane) void runInBackground(SENDING, () => held.take(webhook));
    else {
      lane.dirty = true;
      held.tend(lane);
    }
  }

  return {
    poke: (webhooks) => webhooks.forEach(poke),
    async changed(webhook) {
      const lane = lanes.get(webhook.webhookId);
      if (lane) {
        await lane.settled;
        await work.refresh([lane]);
      }
      poke(webhook);
    },
    async stop() {
      held.close();
      await Promise.all([taker.stop(), ...timers.map((end) => end())]);
      await pump.stop(STOP_MS_MAX);
      await recorder.stop();
      await held.releaseAll();
      await agents.close();
    },
  };
}

/** Takes lanes when they are due: woken for them, and now and then by itself. */
function startTaker(leases: LaneStore, held: HeldLanes, logger: Logger) {
  const taker = startLoop({
    name: SENDING,
    sweepMs: SWEEP_MS,
    look: async (reason) => {
      try {
        const next =
          reason === 'sweep' ? await leases.due.next(new Date(Date.now() + AHEAD_MS)) : null;
        if (next && next.getTime() > Date.now()) return { at: next.getTime() };
        if (next || reason === 'woken') await held.takeDue();
        return {};
      } catch (error) {
        logger.error({ err: error }, 'the sender could not reach its store');
        return { at: Date.now() + FAULT_PAUSE_MS };
      }
    },
  });
  const unlisten = leases.due.onWake((at) => taker.wake(at));

  return {
    stop: (): Promise<void> => {
      unlisten();
      return taker.stop();
    },
  };
}
