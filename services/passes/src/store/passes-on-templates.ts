import type { Rows, Session } from '@laurel/mongo';
import type { Pass } from '../domain/pass/pass';
import { templateBeforeTier } from '../domain/pass/tier-sync';
import { type PassDocument, toPass } from './pass-document';
import type { PassCounts } from './pass-lists';

/** A pass is on a template, or goes back to it. */
const usesOf = (templateId: string) => [
  { pass_template_id: templateId },
  { previous_template_id: { $exists: true, $eq: templateId } },
];

/** A pass was on the template before a tier put another one on it. */
const beforeTier = (templateId: string) => ({
  'tier_template.before': { $exists: true, $eq: templateId },
});

/** What is asked of the passes of a template. */
export function createPassesOnTemplates(rows: Rows<PassDocument>) {
  return {
    /** Whether a pass is on the template, or goes back to it, be it when its tier ends. */
    async isAnyOn(workspaceId: string, templateId: string, session: Session): Promise<boolean> {
      for (const use of usesOf(templateId))
        if (await rows.of(workspaceId).has(use, { session })) return true;
      // One that staff put elsewhere since does not go back.
      for await (const row of rows.of(workspaceId).find(beforeTier(templateId), { session }))
        if (templateBeforeTier(toPass(row)) === templateId) return true;
      return false;
    },

    /** Some passes that are on the template, go back to it, or were on it before a tier. */
    async listOnTemplate(
      workspaceId: string,
      { templateId, max }: { templateId: string; max: number },
      session: Session,
    ): Promise<Pass[]> {
      const found = new Map<string, Pass>();
      for (const use of [...usesOf(templateId), beforeTier(templateId)]) {
        if (found.size >= max) break;
        const some = rows
          .of(workspaceId)
          .find(use, { session })
          .limit(max - found.size);
        for (const row of await some.toArray()) found.set(row._id, toPass(row));
      }
      return [...found.values()];
    },

    /** Those of some passes that a tier wrote something onto. */
    async withTierField(workspaceId: string, ids: readonly string[]): Promise<Pass[]> {
      const filter = { _id: { $in: [...ids] }, tier_field: { $exists: true, $ne: null } };
      return (await rows.of(workspaceId).find(filter).toArray()).map(toPass);
    },

    /** Those of some passes that are of a client. */
    async ofClients(workspaceId: string, ids: readonly string[]): Promise<Pass[]> {
      const filter = { _id: { $in: [...ids] }, client_id: { $exists: true } };
      return (await rows.of(workspaceId).find(filter).toArray()).map(toPass);
    },

    /** The next passes of a template in the order of their ids. */
    async idsOfTemplate(
      workspaceId: string,
      { templateId, after, max }: { templateId: string; after: string | null; max: number },
    ): Promise<string[]> {
      const filter = {
        pass_template_id: templateId,
        ...(after === null ? {} : { _id: { $gt: after } }),
      };
      const found = await rows
        .of(workspaceId)
        .find(filter, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(max)
        .toArray();
      return found.map((row) => row._id);
    },
  };
}

/** How many passes there are on templates. */
export function createTemplateCounts(rows: Rows<PassDocument>) {
  return {
    /** How many passes each of the templates has, and on how many Apple and Google wallets they are. */
    async countByTemplate(
      workspaceId: string,
      templateIds: readonly string[],
    ): Promise<Map<string, PassCounts>> {
      const count = (flag: string) => ({ $sum: { $cond: [`$${flag}`, 1, 0] } });
      const groups = rows
        .of(workspaceId)
        .aggregate<{ _id: string } & PassCounts>({ pass_template_id: { $in: [...templateIds] } }, [
          {
            $group: {
              _id: '$pass_template_id',
              total: { $sum: 1 },
              apple: count('on_apple'),
              google: count('on_google'),
            },
          },
        ]);
      return new Map((await groups.toArray()).map(({ _id, ...counts }) => [_id, counts]));
    },

    /** The templates that passes are on. */
    async templatesInUse(workspaceId: string): Promise<string[]> {
      const groups = rows
        .of(workspaceId)
        .aggregate<{ _id: string }>({}, [{ $group: { _id: '$pass_template_id' } }]);
      return (await groups.toArray()).map((row) => row._id);
    },
  };
}
