import type { Pass } from '../../domain/pass/pass';
import type { HeardTexts } from '../../domain/pass/push-texts';
import type { Wallet } from '../../store/credentials';
import type { TextProgress } from '../../store/pass-update-endings';

interface Texts {
  before: HeardTexts;
  /** Of the wallets that were pushed to without a failure. */
  heard: Partial<HeardTexts>;
  last: number;
  isShownLast: boolean;
}

/** How far the texts of passes that are pushed together come, in each wallet by itself. */
export class TextsOfPage {
  private readonly passes = new Map<string, Texts>();

  /** @param before what the wallets had heard of its texts */
  begin({ id, notification_count: last, notification_shown: shown }: Pass, before: HeardTexts) {
    if (last > 0) this.passes.set(id, { before, heard: {}, last, isShownLast: shown === null });
  }

  /** @param count of the text that a wallet has heard; where there was nothing to hear it has heard all */
  hear(passId: string, wallet: Wallet, count?: number): void {
    const texts = this.passes.get(passId);
    if (texts) texts.heard[wallet] = count ?? texts.last;
  }

  /** What of them no wallet has heard by now it will not hear, but for the last one. */
  giveUp(passId: string): void {
    for (const wallet of ['apple', 'google'] as const) this.hear(passId, wallet);
  }

  /** Undefined for a pass without texts. What waits for a wallet that failed is not among what waits. */
  of(passId: string): TextProgress | undefined {
    const texts = this.passes.get(passId);
    if (!texts) return undefined;
    const { before, heard, last, isShownLast } = texts;
    const isMoreWaiting =
      (heard.apple !== undefined && !isShownLast) ||
      (heard.google !== undefined && Math.max(heard.google, before.google) < last);
    return { heard: { ...before, ...heard }, isMoreWaiting };
  }
}
