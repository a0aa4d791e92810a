import { CircuitOpen } from '../../outside/circuits';
import type { Wallet } from '../../store/credentials';
import type { PassToPush } from './find-signed-pass';

/** Why passes could not be pushed, by their ids. */
type Failures = ReadonlyMap<string, unknown>;

/** What credentials are called that pushes wait for: those for a pass type of Apple, or of an issuer of Google. */
export const credentialsName = (wallet: Wallet, issuedUnder: string): string =>
  `${wallet}:${issuedUnder}`;

/** Nothing was sent, and trying again would change nothing. It goes out when such credentials come (`push-waiting.ts`). */
export abstract class Unsendable extends Error {
  /** @param waitsFor the name of the credentials */
  constructor(
    message: string,
    readonly waitsFor: string,
  ) {
    super(message);
  }
}

const NOT_TRUSTED: Record<Wallet, (issuedUnder: string) => string> = {
  apple: () => 'no certificate for Apple Wallet is good now; phones hear of it once one is',
  google: (issuerId) =>
    `Google has the card of issuer ${issuerId}, of which there is no service account; it hears once there is one, else the card has to be saved again`,
};

/** There are no credentials by which the wallet would take anything for the card. */
export class NotTrusted extends Unsendable {
  override readonly name = 'NotTrusted';
  constructor(wallet: Wallet, issuedUnder: string) {
    super(NOT_TRUSTED[wallet](issuedUnder), credentialsName(wallet, issuedUnder));
  }
}

/** The phone has a card of a pass type that no certificate is for, of the workspace or the deployment: Apple refuses to send it anything. */
export class OtherPassType extends Unsendable {
  override readonly name = 'OtherPassType';
  constructor(passType: string) {
    super(
      `a phone has a card of pass type ${passType}, for which there is no certificate; it has to be added again`,
      credentialsName('apple', passType),
    );
  }
}

/** Google gives the service account no token any more: it was deleted, or its key. */
export class EndedAccount extends Unsendable {
  override readonly name = 'EndedAccount';
  constructor(issuerId: string) {
    super(
      `Google refuses the service account of issuer ${issuerId}; it hears of the card once there is one that it takes`,
      credentialsName('google', issuerId),
    );
  }
}

/** Pushes of many passes: one that fails keeps no other back. */
export class Pushing {
  private readonly reasons = new Map<string, unknown>();
  private readonly waits = new Map<string, Set<string>>();
  /** The passes of which something was sent, and that was written down. */
  readonly sent = new Set<string>();
  /** The text that a wallet hears of a pass, by its count, where it does not hear all of them at once. */
  readonly texts = new Map<string, number>();

  /** Of what went wrong with a pass the first thing counts that it met itself. */
  get failures(): Failures {
    return this.reasons;
  }

  /** The names of the credentials that a pass waits for, whatever else went wrong with it. */
  waitsFor(passId: string): readonly string[] {
    return [...(this.waits.get(passId) ?? [])];
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

  /** Notes what went wrong with a pass. */
  note(passId: string, error: unknown): void {
    const before = this.reasons.get(passId);
    if (before === undefined || weightOf(before) < weightOf(error)) this.reasons.set(passId, error);
    if (error instanceof Unsendable)
      this.waits.set(passId, (this.waits.get(passId) ?? new Set()).add(error.waitsFor));
  }
}

/** Passes that are pushed together, and where it is noted what went wrong with them. */
export interface PushedTogether {
  passes: readonly PassToPush[];
  pushing: Pushing;
}

/** One wallet that nothing can be sent to takes no other try from the other one; that others have failed says little. */
function weightOf(error: unknown): number {
  if (error instanceof Unsendable) return 0;
  return error instanceof CircuitOpen ? 1 : 2;
}
