import type { CampaignActionStatus, CampaignActionType } from '@laurel/contract';
import { type Connection, collection, type Rows, type Session } from '@laurel/mongo';
import type { Action, Deed } from '../domain/action';

/** A config holds names of the workspace's own making, which a store may not take: it is kept as text. */
interface ActionDocument {
  _id: string;
  workspace_id: string;
  campaign_id: string;
  action_type: CampaignActionType;
  action_config: string;
  status: CampaignActionStatus;
  sort: number;
  executed_at: Date | null;
  /** Absent in rows that are older than the column. */
  error_message?: string | null;
  date_created: Date;
  requested: boolean;
  progress: number;
  /** Absent until a part was left. */
  handed_out?: number;
  /** Milliseconds since 1970: when the next of its members may be reached; absent where no page had to wait. */
  paced_until?: number;
}

export const actions = collection<ActionDocument>('actions', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', but: asPlanned },
  growth: {
    per: 'action',
    end: 'stays: until somebody deletes the campaign',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, campaign_id: 1, sort: 1, date_created: 1 }, name: 'of_campaign' },
  ],
});

/** In a clone nothing has been done yet. */
function asPlanned({
  handed_out: _out,
  paced_until: _pace,
  ...row
}: ActionDocument): ActionDocument {
  const fresh = { status: 'pending', executed_at: null, error_message: null } as const;
  return { ...row, ...fresh, requested: false, progress: 0 };
}

/** The order in which actions are shown and executed. */
const IN_ORDER = { sort: 1, date_created: 1, _id: 1 } as const;

export function createActionStore(connection: Connection) {
  const rows = actions.open(connection);
  return { ...createActionPlans(rows), ...createActionProgress(rows) };
}

/** What a campaign is to do. */
function createActionPlans(rows: Rows<ActionDocument>) {
  return {
    async insertAll(added: readonly Action[], session: Session): Promise<void> {
      if (added.length > 0) await rows.insertMany(added.map(toDocument), { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Action | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toAction(document);
    },

    /** The workspace that an action belongs to, for routes that name only the action. */
    async workspaceOf(id: string): Promise<string | null> {
      const projection = { workspace_id: 1 };
      const document = await rows.ofEverybody.findOne({ _id: id }, { projection });
      return document?.workspace_id ?? null;
    },

    async list(workspaceId: string, campaignId: string, session?: Session): Promise<Action[]> {
      const found = rows.of(workspaceId).find({ campaign_id: campaignId }, { session });
      return (await found.sort(IN_ORDER).toArray()).map(toAction);
    },

    /** Writes what may change before execution. */
    async rewrite(action: Action, session: Session): Promise<void> {
      const { action_config, sort } = toDocument(action);
      await rows
        .of(action.workspace_id)
        .updateOne({ _id: action.id }, { $set: { action_config, sort } }, { session });
    },

    async move(
      positions: readonly Pick<Action, 'id' | 'workspace_id' | 'sort'>[],
      session: Session,
    ): Promise<void> {
      const moves = positions.map((position) => ({
        updateOne: {
          filter: { _id: position.id, workspace_id: position.workspace_id },
          update: { $set: { sort: position.sort } },
        },
      }));
      await rows.bulkWrite(moves, { session });
    },

    async remove(action: Action, session: Session): Promise<void> {
      await rows.of(action.workspace_id).deleteOne({ _id: action.id }, { session });
    },

    async removeCampaign(workspaceId: string, campaignId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ campaign_id: campaignId }, { session });
    },
  };
}

/** How far the execution of actions has come. */
function createActionProgress(rows: Rows<ActionDocument>) {
  return {
    /** Asks for actions to be executed. */
    async request(workspaceId: string, ids: readonly string[], session: Session): Promise<void> {
      const filter = { _id: { $in: [...ids] } };
      await rows.of(workspaceId).updateMany(filter, { $set: { requested: true } }, { session });
    },

    async setStatus(
      action: Action,
      change: { status: CampaignActionStatus; executed_at?: Date | null; error_message?: string },
      session: Session,
    ): Promise<void> {
      await rows
        .of(action.workspace_id)
        .updateOne({ _id: action.id }, { $set: change }, { session });
    },

    async setProgress(action: Action, progress: number, session: Session): Promise<void> {
      await rows
        .of(action.workspace_id)
        .updateOne({ _id: action.id }, { $set: { progress } }, { session });
    },

    /** Notes how many members of the audience stand in parts, or stood there. */
    async setHandedOut(action: Action, handedOut: number, session: Session): Promise<void> {
      await rows
        .of(action.workspace_id)
        .updateOne({ _id: action.id }, { $set: { handed_out: handedOut } }, { session });
    },

    /**
     * When the asker may reach the next members of an action. Turns follow one another whichever replica they are of;
     * the next begins `forMs` after this one.
     */
    async takeTurn(
      { workspace_id, id }: Action,
      { now, forMs }: { now: Date; forMs: number },
    ): Promise<Date> {
      const row = { _id: id };
      const own = rows.of(workspace_id);
      await own.updateOne(row, { $max: { paced_until: now.getTime() } });
      const turn = { $inc: { paced_until: forMs } };
      const before = await own.findOneAndUpdate(row, turn, { returnDocument: 'before' });
      return before?.paced_until === undefined ? now : new Date(before.paced_until);
    },
  };
}

function toDocument({ id, action_config, handedOut: _out, ...columns }: Action): ActionDocument {
  return { _id: id, ...columns, action_config: JSON.stringify(action_config) };
}

function toAction({
  _id,
  action_type,
  action_config,
  error_message = null,
  handed_out = 0,
  paced_until: _pace,
  ...columns
}: ActionDocument): Action {
  const deed = { action_type, action_config: JSON.parse(action_config) } as Deed;
  return { ...columns, ...deed, error_message, handedOut: handed_out, id: _id };
}
