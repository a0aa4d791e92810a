import { cutPage, literalPattern, type Rows } from '@laurel/mongo';
import type { Pass } from '../domain/pass/pass';
import { afterCursor, type PassDocument, positionOf, toPass } from './pass-document';
import { NEWEST } from './pass-rows';

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

/** Lists and counts of the passes of a workspace. */
export function createPassLists(rows: Rows<PassDocument>) {
  return {
    /** Newest first. */
    async list(
      workspaceId: string,
      filter: PassFilter,
      page: { limit: number; offset: number; cursor?: string | undefined },
    ): Promise<PassPage> {
      const own = rows.of(workspaceId);
      const matching = matchingOf(filter);
      const after = page.cursor === undefined ? {} : afterCursor(page.cursor);
      const [found, total] = await Promise.all([
        own
          .find({ ...matching, ...after })
          .sort(NEWEST)
          .skip(page.offset)
          .limit(page.limit + 1)
          .toArray(),
        own.count(matching),
      ]);
      const { rows: shown, nextCursor } = cutPage(found, page.limit, positionOf);
      return { passes: shown.map(toPass), total, nextCursor };
    },

    /** How many there are, and on how many Apple and Google wallets. */
    async count(workspaceId: string, filter: PassFilter = {}): Promise<PassCounts> {
      const own = rows.of(workspaceId);
      const matching = matchingOf(filter);
      const [total, apple, google] = await Promise.all([
        own.count(matching),
        own.count({ ...matching, on_apple: true }),
        own.count({ ...matching, on_google: true }),
      ]);
      return { total, apple, google };
    },

    /** How many were made from a moment up to another; counted along an index. */
    countMade: (workspaceId: string, from: Date, until: Date): Promise<number> =>
      rows.of(workspaceId).count({ date_created: { $gte: from, $lt: until } }),

    /** Some of the passes whose own fields name a text such as the id of a file. */
    async naming(workspaceId: string, text: string, limit: number): Promise<Pass[]> {
      const pass_fields_json = { $regex: literalPattern(text), $options: 'i' };
      const found = rows.of(workspaceId).find({ pass_fields_json }).limit(limit);
      return (await found.toArray()).map(toPass);
    },

    /** Whether the installation has given out any pass. */
    async isAny(): Promise<boolean> {
      return (await rows.ofEverybody.findOne({}, { projection: { _id: 1 } })) !== null;
    },
  };
}

const matchingOf = ({ projectId, templateId }: PassFilter) => ({
  ...(projectId === undefined ? {} : { project_id: projectId }),
  ...(templateId === undefined ? {} : { pass_template_id: templateId }),
});
