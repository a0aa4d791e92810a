import { type Connection, collection, type Session } from '@laurel/mongo';

export const formerBarcodes = collection<FormerBarcodeDocument>('former_barcodes', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its pass names the client',
    merged: 'stays: goes where its pass goes',
    anonymized: 'by hand: use-cases/pass/forget-client.ts',
    deleted: 'as anonymized',
    exported: 'withheld: the pass is shown with the value that it has',
  },
  growth: {
    per: 'barcode that was changed',
    end: 'stays: goes with its pass',
    shardKey: ['workspace_id', 'value'],
  },
  indexes: [
    { key: { workspace_id: 1, value: 1 }, name: 'of_value', unique: true },
    { key: { workspace_id: 1, pass_id: 1 }, name: 'of_pass' },
  ],
});

interface FormerBarcodeDocument {
  _id: string;
  workspace_id: string;
  value: string;
  pass_id: string;
}

/**
 * Values that passes had before their present ones, which phones and prints may still show. A value leads to one pass
 * only: to the one that has it now (unique index of `passes`), else to the last one that had it.
 */
export function createFormerBarcodeStore(connection: Connection) {
  const rows = formerBarcodes.open(connection);
  const idOf = (workspaceId: string, value: string): string => `${workspaceId}:${value}`;

  return {
    async passOf(workspaceId: string, value: string): Promise<string | null> {
      const row = await rows.of(workspaceId).findOne({ _id: idOf(workspaceId, value) });
      return row?.pass_id ?? null;
    },

    /** A pass does not have the value any more; it leads to it until another one takes it. */
    async keep(
      workspaceId: string,
      { value, passId }: { value: string; passId: string },
      session: Session,
    ): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne(
          { _id: idOf(workspaceId, value) },
          { $set: { value, pass_id: passId } },
          { upsert: true, session },
        );
    },

    /** The value is a pass's own again, and no longer a former one. */
    async release(workspaceId: string, value: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteOne({ _id: idOf(workspaceId, value) }, { session });
    },

    async removeOfPass(workspaceId: string, passId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ pass_id: passId }, { session });
    },
  };
}
