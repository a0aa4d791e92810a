import { type Rows, type Session, StaleWrite } from '@laurel/mongo';
import type { Pass } from '../domain/pass/pass';
import { type PassDocument, toDocument, toPass } from './pass-document';

/** What is asked and written of many passes at once. */
export function createPassBatches(rows: Rows<PassDocument>) {
  return {
    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session?: Session,
    ): Promise<Map<string, Pass>> {
      const found = rows.of(workspaceId).find({ _id: { $in: [...ids] } }, { session });
      return new Map((await found.toArray()).map((row) => [row._id, toPass(row)]));
    },

    /** Whatever workspaces they belong to. */
    async locate(ids: readonly string[]): Promise<Pass[]> {
      return (await rows.ofEverybody.find({ _id: { $in: [...ids] } }).toArray()).map(toPass);
    },

    /** The template that each of some passes is on, whatever workspaces they belong to. */
    async templatesOf(ids: readonly string[]): Promise<Map<string, string>> {
      const projection = { pass_template_id: 1 };
      const found = rows.ofEverybody.find({ _id: { $in: [...ids] } }, { projection });
      return new Map((await found.toArray()).map((row) => [row._id, row.pass_template_id]));
    },

    /** Takes the texts that wait away from those of some passes that have ended. */
    async silenceRetired(ids: readonly string[]): Promise<void> {
      const waiting = { retired: true, 'notification_queue.0': { $exists: true } };
      const silent = { notification_queue: [], notification_shown: null };
      await rows.ofEverybody.updateMany(
        { _id: { $in: [...ids] }, ...waiting },
        { $set: silent, $inc: { revision: 1 } },
      );
    },

    /** As `replace`, for many: throws where one of them is no longer the one that was read. */
    async replaceAll(changed: readonly Pass[], session: Session): Promise<void> {
      if (changed.length === 0) return;
      const { matchedCount } = await rows.bulkWrite(
        changed.map((pass) => ({
          replaceOne: {
            filter: { _id: pass.id, workspace_id: pass.workspace_id, revision: pass.revision },
            replacement: toDocument({ ...pass, revision: pass.revision + 1 }),
          },
        })),
        { session, ordered: false },
      );
      if (matchedCount < changed.length) throw new StaleWrite('one of the passes');
    },
  };
}
