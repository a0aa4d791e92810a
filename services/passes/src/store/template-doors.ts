import { randomInt } from 'node:crypto';
import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';

/**
 * Passes come to one template from many sides at once; each goes through one of so many doors. Two at one door at once means
 * that one of them begins again: 32 that join at once are one each.
 */
const DOORS_PER_TEMPLATE = 32;
/** What templates have that were made while there were no more. */
const FORMER_DOORS_PER_TEMPLATE = 8;

interface DoorDocument {
  _id: string;
  workspace_id: string;
  template_id: string;
  entries: number;
}

export const templateDoors = collection<DoorDocument>('template_doors', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', but: (row) => ({ ...row, entries: 0 }) },
  growth: {
    per: 'template',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { workspace_id: 1, template_id: 1 }, name: 'of_template' }],
});

/**
 * The doors of templates. What puts a pass on a template writes to one of its doors in the same transaction, and
 * what deletes it takes the doors away first: the two cannot both commit, however they race.
 */
export function createTemplateDoors(connection: Connection) {
  const rows = templateDoors.open(connection);
  let turn = randomInt(DOORS_PER_TEMPLATE);

  return {
    async openDoors(workspaceId: string, templateId: string, session: Session): Promise<void> {
      const doors = Array.from({ length: DOORS_PER_TEMPLATE }, (_, index) => ({
        _id: doorId(templateId, index),
        workspace_id: workspaceId,
        template_id: templateId,
        entries: 0,
      }));
      await rows.insertMany(doors, { session });
    },

    /** Lets a pass in, at one door after the other; false where the template is gone or is being deleted. */
    async enter(workspaceId: string, templateId: string, session: Session): Promise<boolean> {
      turn = (turn + 1) % DOORS_PER_TEMPLATE;
      const index = turn;
      const own = rows.of(workspaceId);
      const isIn = await goThrough(own, doorId(templateId, index), session);
      if (isIn || index < FORMER_DOORS_PER_TEMPLATE) return isIn;
      const former = doorId(templateId, index % FORMER_DOORS_PER_TEMPLATE);
      const isInByFormer = await goThrough(own, former, session);
      return isInByFormer;
    },

    /** Lets no pass in any more, from the moment of the commit. */
    async closeDoors(workspaceId: string, templateId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ template_id: templateId }, { session });
    },
  };
}

async function goThrough(
  own: ReturnType<Rows<DoorDocument>['of']>,
  _id: string,
  session: Session,
): Promise<boolean> {
  const { matchedCount } = await own.updateOne({ _id }, { $inc: { entries: 1 } }, { session });
  return matchedCount === 1;
}

const doorId = (templateId: string, index: number): string => `${templateId}:${index}`;
