import { isSandbox, type Logger } from '@laurel/lifecycle';
import type { Agent } from 'undici';
import { isTaken, NOT_SENT } from '../../domain/retry';
import { type PostSettings, post } from '../../outside/post';
import type { WebhookRow } from '../../store/webhooks';
import { outboundFor } from './endpoint';
import type { Lane, Loaded } from './lane';
import { sending } from './metrics';
import type { Recorder } from './recorder';
import { type Consequence, consequenceOf, resultOf, withConsequence } from './verdict';

export interface PumpSettings extends Omit<PostSettings, 'agent'> {
  /** In flight from this process, but for one to each endpoint that is not in trouble. */
  inFlightMax: number;
  disableAfterMs: number;
}

export interface PumpDeps {
  lanes: ReadonlyMap<string, Lane>;
  recorder: Recorder;
  agent: Agent;
  logger: Logger;
  /** Makes what an attempt means for its endpoint durable. */
  applyConsequence: (webhook: WebhookRow, consequence: Consequence) => Promise<void>;
  /** Called when an attempt's result is durable. */
  attempted: (lane: Lane) => void;
}

export interface Pump {
  /** Starts whatever may start. */
  run(): void;
  /** Starts nothing more; waits for what is in flight, and cuts it off after a while. */
  stop(withinMs: number): Promise<void>;
}

/** Sends what lanes hold. Lanes take turns, so that a slow or dead endpoint delays nobody else. */
export function createPump(deps: PumpDeps, settings: PumpSettings): Pump {
  const { lanes, recorder, agent, logger, applyConsequence, attempted } = deps;
  const attempts = new Set<Promise<void>>();
  let turn = 0;
  let inFlight = 0;
  let troubledInFlight = 0;
  const ofWorkspace = new Map<string, number>();
  let stopping = false;
  let aborting = false;

  function run(): void {
    if (stopping) return;
    const now = Date.now();
    const ready = [...lanes.values()].filter((lane) => lane.isSendable(now));
    for (let fruitless = 0; fruitless < ready.length; ) {
      turn = (turn + 1) % ready.length;
      const lane = ready[turn]!;
      const delivery = lane.isSendable(now) && hasRoom(lane) ? lane.next() : undefined;
      if (delivery) begin(lane, delivery);
      fruitless = delivery ? 0 : fruitless + 1;
    }
  }

  /**
   * Endpoints in trouble never take more than half of the room; any other may always have one request out, and more of
   * them only while its workspace has less than half of the room.
   */
  function hasRoom(lane: Lane): boolean {
    if (lane.isTroubled) return troubledInFlight < settings.inFlightMax / 2;
    if (lane.inFlight === 0) return true;
    const own = ofWorkspace.get(lane.workspaceId) ?? 0;
    return inFlight < settings.inFlightMax && own < settings.inFlightMax / 2;
  }

  function countOf(workspaceId: string, change: 1 | -1): void {
    const count = (ofWorkspace.get(workspaceId) ?? 0) + change;
    if (count > 0) ofWorkspace.set(workspaceId, count);
    else ofWorkspace.delete(workspaceId);
  }

  function begin(lane: Lane, delivery: Loaded): void {
    const attempt: Promise<void> = attemptOnce(lane, delivery)
      .catch((error: unknown) => logger.error({ err: error }, 'an attempt ended in a fault'))
      .finally(() => attempts.delete(attempt));
    attempts.add(attempt);
  }

  async function attemptOnce(lane: Lane, delivery: Loaded): Promise<void> {
    const troubled = lane.isTroubled;
    inFlight += 1;
    if (troubled) troubledInFlight += 1;
    countOf(lane.workspaceId, 1);
    const webhook = lane.webhook!;
    const message = { id: delivery.event_id, body: delivery.body };
    const outbound = outboundFor(webhook.url, lane.keys, message);
    const outcome = isSandbox(lane.workspaceId)
      ? NOT_SENT
      : await post(outbound, { ...settings, agent });
    inFlight -= 1;
    if (troubled) troubledInFlight -= 1;
    countOf(lane.workspaceId, -1);
    const taken = isTaken(outcome);
    lane.adapt({ taken, durationMs: outcome.durationMs });
    sending.attempts.inc({ outcome: taken ? 'delivered' : 'failed' });
    sending.duration.observe(outcome.durationMs / 1_000);
    sending.inFlight.set(inFlight);
    // Cut off by our own end: it says nothing about the receiver.
    if (aborting) return;
    const now = new Date();
    const consequence = consequenceOf(lane.webhook ?? webhook, outcome, { ...settings, now });
    if (consequence) {
      lane.settled = Promise.all([lane.settled, settle(lane, webhook, consequence)]);
    }
    lane.sent(delivery);
    run();
    await recorder.record(resultOf(lane, delivery, outcome));
    await lane.settled;
    lane.recorded(delivery);
    attempted(lane);
  }

  async function settle(lane: Lane, webhook: WebhookRow, consequence: Consequence): Promise<void> {
    lane.webhook = withConsequence(lane.webhook ?? webhook, consequence);
    lane.settling += 1;
    lane.settlements += 1;
    try {
      await applyConsequence(webhook, consequence);
    } catch (error) {
      const fields = { err: error, webhook_id: webhook._id };
      logger.error(fields, 'the state of an endpoint could not be written');
    } finally {
      lane.settling -= 1;
    }
  }

  return {
    run,
    async stop(withinMs) {
      stopping = true;
      const late = setTimeout(() => {
        aborting = true;
        void agent.destroy();
      }, withinMs);
      await Promise.all(attempts);
      clearTimeout(late);
    },
  };
}
