import { until } from '@laurel/testing';
import { type CallOptions, call, gateways, type Reply } from './api';

/** A load balancer: spreads calls over the gateways that are in rotation. */
export class Rotation {
  private readonly inRotation = new Set(gateways());
  private readonly inFlight = new Map<string, number>();
  private turn = 0;

  async call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const admitted = [...this.inRotation];
    this.turn += 1;
    const gateway = admitted[this.turn % admitted.length]!;
    this.count(gateway, 1);
    try {
      return await call(method, path, { ...options, gateway });
    } finally {
      this.count(gateway, -1);
    }
  }

  /** Sends it nothing more and waits for what it is at: what a pod's preStop hook gives it time for. */
  async withdraw(gateway: string): Promise<void> {
    this.inRotation.delete(gateway);
    await until(() => this.inFlight.get(gateway) === 0, { what: `${gateway} idle` });
  }

  admit(gateway: string): void {
    this.inRotation.add(gateway);
  }

  private count(gateway: string, change: 1 | -1): void {
    this.inFlight.set(gateway, (this.inFlight.get(gateway) ?? 0) + change);
  }
}
