import { type Session, StaleWrite } from '@laurel/mongo';
import type { Pass } from '../domain/pass/pass';
import { toDocument, toPass } from './pass-document';
import type { openPasses } from './pass-indexes';

/** What is asked and written of many passes at once. */
export function createPassBatches(passes: ReturnType<typeof openPasses>) {
  return {
    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session: Session,
    ): Promise<Map<string, Pass>> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const rows = await passes.find(filter, { session }).toArray();
      return new Map(rows.map((row) => [row._id, toPass(row)]));
    },

    /** The template that each of some passes is on, whatever workspaces they belong to. */
    async templatesOf(ids: readonly string[]): Promise<Map<string, string>> {
      const projection = { pass_template_id: 1 };
      const rows = await passes.find({ _id: { $in: [...ids] } }, { projection }).toArray();
      return new Map(rows.map((row) => [row._id, row.pass_template_id]));
    },

    /** As `replace`, for many: throws where one of them is no longer the one that was read. */
    async replaceAll(changed: readonly Pass[], session: Session): Promise<void> {
      if (changed.length === 0) return;
      const { matchedCount } = await passes.bulkWrite(
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
