import { createSharedReads } from '@laurel/lifecycle';
import type { Planner } from './planner';
import type { WalletTypeStore } from './wallet-types';

/** Within this, what was noted once is not noted again. */
const NOTED_MS = 300_000;
/** As long as this after the last note an entry may still be on its way: no caller and no retry waits as long. */
export const UNDER_WAY_MS = 900_000;
const KNOWN_MAX = 10_000;

type Plans = Pick<Planner, 'base' | 'documents'>;

export type TypeUses = ReturnType<typeof createTypeUses>;

/**
 * Keeps the deletion of a wallet type and the first entry of a wallet apart. Entries are committed by one insert, which
 * knows nothing of the type, and a type may go while no wallet of it has any. So the first entry of a wallet is announced in
 * the row of the type, which its deletion reads, and which is no longer there after it.
 */
export function createTypeUses({
  walletTypes,
  now,
}: {
  walletTypes: Pick<WalletTypeStore, 'noteUse'>;
  now: (workspaceId: string) => number;
}) {
  const noted = new Map<string, number>();
  // At once for all whose first entries come in one flight.
  const note = createSharedReads(async (workspaceId: string, walletTypeId: string) => {
    const at = now(workspaceId);
    if (!(await walletTypes.noteUse({ workspaceId, walletTypeId }, new Date(at)))) return false;
    if (noted.size >= KNOWN_MAX) noted.clear();
    noted.set(walletTypeId, at);
    return true;
  });

  return {
    /** Whether what was planned may be written; false where the wallet would be one of a type that is gone. */
    async admits(planner: Plans): Promise<boolean> {
      if (!startsWallet(planner)) return true;
      const { workspaceId, walletTypeId } = planner.base.ref;
      const sinceMs = now(workspaceId) - (noted.get(walletTypeId) ?? 0);
      return Math.abs(sinceMs) < NOTED_MS || note(workspaceId, walletTypeId);
    },
  };
}

/** Whether what was planned begins with the first entry of a wallet. */
export const startsWallet = ({ base, documents }: Plans): boolean =>
  documents.length > 0 && base.wallet.sequence === 0;
