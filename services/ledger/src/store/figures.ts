import type { FiguresDocument } from './documents';
import type { EntryStore } from './entries';
import type { WalletStore } from './wallets';

/** A wallet after its newest entry, without what it is made of. */
interface WalletFigures {
  sequence: number;
  figures: FiguresDocument;
}

export type Figures = ReturnType<typeof createFigures>;

/**
 * The figures of wallets where their logs end. Each entry says what they are after it: of what no snapshot knows yet that alone
 * is read, and no lots, of which a wallet may have any number.
 */
export function createFigures({
  entries,
  wallets,
}: {
  entries: Pick<EntryStore, 'standingsAfter'>;
  wallets: Pick<WalletStore, 'figures'>;
}) {
  return {
    /** By wallet; those without an entry are left out. */
    async of(workspaceId: string, ids: readonly string[]): Promise<Map<string, WalletFigures>> {
      if (ids.length === 0) return new Map();
      const stand = await wallets.figures(ids);
      const after = new Map(ids.map((id) => [id, stand.get(id)?.sequence ?? 0]));
      for (const entry of await entries.standingsAfter(workspaceId, after)) {
        const { wallet_id: id, sequence, after: figures } = entry;
        if (sequence > (stand.get(id)?.sequence ?? 0)) stand.set(id, { sequence, figures });
      }
      return stand;
    },
  };
}
