import { CircuitOpen } from '../../outside/circuits';
import type { Wallet } from '../../store/credentials';

/** Why passes could not be pushed, by their ids. */
export type Failures = ReadonlyMap<string, unknown>;

/** Nothing was sent, and trying again would change nothing. */
export abstract class Unsendable extends Error {}

/** Phones would not take what is signed here. It goes out when good credentials come (`push-waiting.ts`). */
export class NotTrusted extends Unsendable {
  override readonly name = 'NotTrusted';
  constructor(
    readonly wallet: Wallet,
    message: string,
  ) {
    super(message);
  }
}

/** The phone has a card of a pass type that the certificate in use is not for: Apple refuses to send it anything. */
export class OtherPassType extends Unsendable {
  override readonly name = 'OtherPassType';
  constructor(passType: string) {
    super(
      `a phone has a card of pass type ${passType}, which the certificate in use is not for; it has to be added again`,
    );
  }
}

/** Pushes of many passes: one that fails keeps no other back. */
export class Pushing {
  private readonly reasons = new Map<string, unknown>();

  /** Of what went wrong with a pass the first thing counts that it met itself. */
  get failures(): Failures {
    return this.reasons;
  }

  /** Does a part of the work on a pass; what it rejects with is noted. */
  async of(passId: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.note(passId, error);
    }
  }

  /** Does a part of the work on several passes at once; what it rejects with has happened to all of them. */
  async ofAll(passIds: readonly string[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      for (const passId of passIds) this.note(passId, error);
    }
  }

  /** Takes over what went wrong elsewhere. */
  noteAll(failures: Failures): void {
    for (const [passId, error] of failures) this.note(passId, error);
  }

  private note(passId: string, error: unknown): void {
    const before = this.reasons.get(passId);
    if (before === undefined || weightOf(before) < weightOf(error)) this.reasons.set(passId, error);
  }
}

/** One wallet that nothing can be sent to takes no other try from the other one; that others have failed says little. */
function weightOf(error: unknown): number {
  if (error instanceof Unsendable) return 0;
  return error instanceof CircuitOpen ? 1 : 2;
}
