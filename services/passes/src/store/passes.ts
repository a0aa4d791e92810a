import { type Connection, literalPattern, type Session, StaleWrite } from '@laurel/mongo';
import type { Room } from '@laurel/work';
import { createDueTimes, createTurns } from '@laurel/work';
import type { Pass } from '../domain/pass/pass';
import { createPassBatches } from './pass-batches';
import { afterCursor, cursorOf, toDocument, toPass } from './pass-document';
import { EXPIRED, NEWEST, openPasses, PASSES } from './pass-indexes';

export interface PassFilter {
  projectId?: string | undefined;
  templateId?: string | undefined;
}
export interface PassPage {
  passes: Pass[];
  total: number;
  nextCursor: string | null;
}
export interface PassCounts {
  total: number;
  apple: number;
  google: number;
}

export function createPassStore(connection: Connection) {
  const passes = openPasses(connection);
  const expiredInTurns = createTurns(connection, PASSES, EXPIRED);

  return {
    ...createPassBatches(passes),

    /** When temporary templates end. */
    expiries: createDueTimes(connection, PASSES, EXPIRED),

    /** Fails as a duplicate key on `barcode_value` or `client_id` when one of them is taken. */
    async insert(pass: Pass, session: Session): Promise<void> {
      await passes.insertOne(toDocument(pass), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Pass | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      const document = await passes.findOne(filter, session ? { session } : {});
      return document && toPass(document);
    },

    /** Whether the installation has given out any pass. */
    async isAny(): Promise<boolean> {
      return (await passes.findOne({}, { projection: { _id: 1 } })) !== null;
    },

    /** Whatever workspaces they belong to. */
    async locate(ids: readonly string[]): Promise<Pass[]> {
      return (await passes.find({ _id: { $in: [...ids] } }).toArray()).map(toPass);
    },

    async findByBarcode(
      workspaceId: string,
      barcodeValue: string,
      session?: Session,
    ): Promise<Pass | null> {
      const filter = { workspace_id: workspaceId, barcode_value: barcodeValue };
      const document = await passes.findOne(filter, session ? { session } : {});
      return document && toPass(document);
    },

    /** Newest first. */
    async listOfClients(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<Pass[]> {
      const filter = {
        workspace_id: workspaceId,
        client_id: { $exists: true, $in: [...clientIds] },
      };
      const rows = await passes
        .find(filter, session ? { session } : {})
        .sort(NEWEST)
        .toArray();
      return rows.map(toPass);
    },

    /** Some of the passes whose own fields name a text such as the id of a file. */
    async naming(workspaceId: string, text: string, limit: number): Promise<Pass[]> {
      const pass_fields_json = { $regex: literalPattern(text), $options: 'i' };
      const filter = { workspace_id: workspaceId, pass_fields_json };
      return (await passes.find(filter).limit(limit).toArray()).map(toPass);
    },

    async idsOfClients(
      workspaceId: string,
      clientIds: readonly string[],
      session?: Session,
    ): Promise<string[]> {
      const filter = {
        workspace_id: workspaceId,
        client_id: { $exists: true, $in: [...clientIds] },
      };
      const options = { projection: { _id: 1 }, ...(session ? { session } : {}) };
      return (await passes.find(filter, options).toArray()).map((row) => row._id);
    },

    /** The next passes of a template in the order of their ids. */
    async idsOfTemplate(
      workspaceId: string,
      templateId: string,
      after: string | null,
      max: number,
    ): Promise<string[]> {
      const filter = {
        workspace_id: workspaceId,
        pass_template_id: templateId,
        ...(after === null ? {} : { _id: { $gt: after } }),
      };
      const rows = await passes
        .find(filter, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(max)
        .toArray();
      return rows.map((row) => row._id);
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      filter: PassFilter,
      page: { limit: number; offset: number; cursor?: string | undefined },
    ): Promise<PassPage> {
      const matching = matchingOf(workspaceId, filter);
      const after = page.cursor === undefined ? {} : afterCursor(page.cursor);
      const [rows, total] = await Promise.all([
        passes
          .find({ ...matching, ...after })
          .sort(NEWEST)
          .skip(page.offset)
          .limit(page.limit)
          .toArray(),
        passes.countDocuments(matching),
      ]);
      const last = rows.at(-1);
      const isFull = rows.length === page.limit && last !== undefined;
      const nextCursor = isFull ? cursorOf(last) : null;
      return { passes: rows.map(toPass), total, nextCursor };
    },

    /** How many there are, and on how many Apple and Google wallets. */
    async count(workspaceId: string, filter: PassFilter = {}): Promise<PassCounts> {
      const matching = matchingOf(workspaceId, filter);
      const [total, apple, google] = await Promise.all([
        passes.countDocuments(matching),
        passes.countDocuments({ ...matching, on_apple: true }),
        passes.countDocuments({ ...matching, on_google: true }),
      ]);
      return { total, apple, google };
    },

    /** How many were made from a moment up to another; counted along an index. */
    countMade: (workspaceId: string, from: Date, until: Date): Promise<number> =>
      passes.countDocuments({
        workspace_id: workspaceId,
        date_created: { $gte: from, $lt: until },
      }),

    /** Whether a pass is on the template, or goes back to it. */
    async isAnyOn(workspaceId: string, templateId: string, session: Session): Promise<boolean> {
      const uses = [
        { pass_template_id: templateId },
        { previous_template_id: { $exists: true, $eq: templateId } },
      ];
      for (const use of uses) {
        const filter = { workspace_id: workspaceId, ...use };
        if (await passes.findOne(filter, { session, projection: { _id: 1 } })) return true;
      }
      return false;
    },

    /** Some passes that are on the template, or go back to it. */
    async listOnTemplate(
      workspaceId: string,
      templateId: string,
      max: number,
      session: Session,
    ): Promise<Pass[]> {
      const uses = [
        { pass_template_id: templateId },
        { previous_template_id: { $exists: true, $eq: templateId } },
      ];
      const found: Pass[] = [];
      for (const use of uses) {
        const filter = { workspace_id: workspaceId, ...use };
        const rows = passes.find(filter, { session }).limit(max - found.length);
        if (found.length < max) found.push(...(await rows.toArray()).map(toPass));
      }
      return found;
    },

    /** Those of the clients that have a pass on the template. */
    async holdersOn(
      workspaceId: string,
      templateId: string,
      clientIds: readonly string[],
      session: Session,
    ): Promise<Set<string>> {
      const filter = {
        workspace_id: workspaceId,
        client_id: { $exists: true, $in: [...clientIds] },
        pass_template_id: templateId,
      };
      const options = { session, projection: { client_id: 1 } };
      const rows = await passes.find(filter, options).toArray();
      return new Set(rows.map((row) => row.client_id!));
    },

    /** How many passes each of the templates has, and on how many Apple and Google wallets they are. */
    async countByTemplate(
      workspaceId: string,
      templateIds: readonly string[],
    ): Promise<Map<string, PassCounts>> {
      const matching = { workspace_id: workspaceId, pass_template_id: { $in: [...templateIds] } };
      const count = (flag: string) => ({ $sum: { $cond: [`$${flag}`, 1, 0] } });
      const rows = await passes
        .aggregate<{ _id: string } & PassCounts>([
          { $match: matching },
          {
            $group: {
              _id: '$pass_template_id',
              total: { $sum: 1 },
              apple: count('on_apple'),
              google: count('on_google'),
            },
          },
        ])
        .toArray();
      return new Map(rows.map(({ _id, ...counts }) => [_id, counts]));
    },

    /** The templates that passes are on. */
    async templatesInUse(workspaceId: string): Promise<string[]> {
      const rows = await passes
        .aggregate<{ _id: string }>([
          { $match: { workspace_id: workspaceId } },
          { $group: { _id: '$pass_template_id' } },
        ])
        .toArray();
      return rows.map((row) => row._id);
    },

    /** Passes whose temporary template has ended; workspaces take turns, the longest overdue of each first. */
    async listExpired(now: Date, room: Room): Promise<Pick<Pass, 'id' | 'workspace_id'>[]> {
      const ids = (await expiredInTurns(now, room)).map(({ id }) => id);
      const rows = await passes
        .find({ _id: { $in: ids } }, { projection: { workspace_id: 1 } })
        .toArray();
      return rows.map(({ _id, workspace_id }) => ({ id: _id, workspace_id }));
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async replace(pass: Pass, session: Session): Promise<void> {
      const { id, workspace_id, revision } = pass;
      const document = toDocument({ ...pass, revision: revision + 1 });
      const filter = { _id: id, workspace_id, revision };
      const { matchedCount } = await passes.replaceOne(filter, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the pass');
    },

    async remove(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId };
      return (await passes.deleteOne(filter, { session })).deletedCount === 1;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await passes.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function matchingOf(workspaceId: string, { projectId, templateId }: PassFilter) {
  return {
    workspace_id: workspaceId,
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(templateId === undefined ? {} : { pass_template_id: templateId }),
  };
}

export type PassStore = ReturnType<typeof createPassStore>;
