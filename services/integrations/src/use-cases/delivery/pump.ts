import { isSandbox, type Logger } from '@laurel/lifecycle';
import type { Agents } from '@laurel/outbound';
import { type AttemptOutcome, isTaken, NOT_SENT } from '../../domain/retry';
import { type PostSettings, post } from '../../outside/post';
import type { WebhookRow } from '../../store/webhooks';
import { outboundFor } from './endpoint';
import { InFlight } from './in-flight';
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
  agents: Agents;
  logger: Logger;
  /** Makes what an attempt means for its endpoint durable. */
  applyConsequence: (webhook: WebhookRow, consequence: Consequence) => Promise<void>;
  /** Called when an attempt's result is durable. */
  attempted: (lane: Lane) => void;
}

/** Sends what lanes hold. Lanes take turns, so that a slow or dead endpoint delays no other. */
export class Pump {
  private readonly deps: PumpDeps;
  private readonly settings: PumpSettings;
  private readonly attempts = new Set<Promise<void>>();
  private readonly inFlight: InFlight;
  private turn = 0;
  private stopping = false;
  private aborting = false;

  constructor(deps: PumpDeps, settings: PumpSettings) {
    this.deps = deps;
    this.settings = settings;
    this.inFlight = new InFlight(settings.inFlightMax);
  }

  /** Starts whatever may start. */
  run(): void {
    if (this.stopping) return;
    const now = Date.now();
    const ready = [...this.deps.lanes.values()].filter((lane) => lane.isSendable(now));
    for (let fruitless = 0; fruitless < ready.length; ) {
      this.turn = (this.turn + 1) % ready.length;
      const lane = ready[this.turn]!;
      const mayStart = lane.isSendable(now) && this.inFlight.hasRoom(lane);
      const delivery = mayStart ? lane.next() : undefined;
      if (delivery) this.begin(lane, delivery);
      fruitless = delivery ? 0 : fruitless + 1;
    }
  }

  /** Starts nothing more; waits for what is in flight, and cuts it off after a while. */
  async stop(withinMs: number): Promise<void> {
    this.stopping = true;
    const late = setTimeout(() => {
      this.aborting = true;
      void this.deps.agents.destroy();
    }, withinMs);
    await Promise.all(this.attempts);
    clearTimeout(late);
  }

  private begin(lane: Lane, delivery: Loaded): void {
    const { logger } = this.deps;
    const attempt: Promise<void> = this.attemptOnce(lane, delivery)
      .catch((error: unknown) => logger.error({ err: error }, 'an attempt ended in a fault'))
      .finally(() => this.attempts.delete(attempt));
    this.attempts.add(attempt);
  }

  private async attemptOnce(lane: Lane, delivery: Loaded): Promise<void> {
    const { recorder, attempted } = this.deps;
    const webhook = lane.webhook!;
    const outcome = await this.send(lane, delivery);
    const taken = isTaken(outcome);
    lane.adapt({ taken, durationMs: outcome.durationMs });
    sending.attempts.inc({ outcome: taken ? 'delivered' : 'failed' });
    sending.duration.observe(outcome.durationMs / 1_000);
    sending.inFlight.set(this.inFlight.count);
    // Cut off by our own end: it says nothing about the receiver.
    if (this.aborting) return;
    const result = resultOf(lane, delivery, outcome);
    const tried = {
      ...this.settings,
      now: result.at,
      isLast: result.reason === 'retries_exhausted',
    };
    const consequence = consequenceOf(lane.webhook ?? webhook, outcome, tried);
    if (consequence) {
      lane.settled = Promise.all([lane.settled, this.settle(lane, webhook, consequence)]);
    }
    lane.sent(delivery);
    this.run();
    await recorder.record(result);
    await lane.settled;
    lane.recorded(delivery);
    attempted(lane);
  }

  private async send(lane: Lane, delivery: Loaded): Promise<AttemptOutcome> {
    const { workspaceId, isTroubled } = lane;
    this.inFlight.change(workspaceId, isTroubled, 1);
    // What is tried or sent again, or waits for an endpoint in trouble, says nothing about how far behind sending is.
    if (delivery.round === 0 && delivery.failures === 0 && !isTroubled)
      sending.delay.observe(Math.max(0, Date.now() - delivery.occurred_at.getTime()) / 1_000);
    const message = { id: delivery.event_id, body: delivery.body };
    const outbound = outboundFor(lane.webhook!.url, lane.keys, message);
    const outcome = isSandbox(workspaceId)
      ? NOT_SENT
      : await post(outbound, { ...this.settings, agent: this.deps.agents.of(lane.webhookId) });
    this.inFlight.change(workspaceId, isTroubled, -1);
    return outcome;
  }

  private async settle(lane: Lane, webhook: WebhookRow, consequence: Consequence): Promise<void> {
    const { applyConsequence, logger } = this.deps;
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
}
