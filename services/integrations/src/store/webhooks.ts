import {
  asRead,
  type Connection,
  collection,
  KEY_INDEX,
  type Rows,
  refuseTakenKey,
  type Session,
  StaleWrite,
  withoutMissingKey,
} from '@laurel/mongo';
import { type Sealed, sealedRows } from '@laurel/secrets';
import { refusals } from '../refusals';

const keyTaken = () => refusals.keyTaken({ field: 'key' });

export interface StoredSecret {
  sealed: Sealed;
  /** Until when it signs; null for the newest. */
  until: Date | null;
}

export interface WebhookRow {
  _id: string;
  workspace_id: string;
  /** What files call it; given once. */
  key?: string | null;
  url: string;
  event_types: string[];
  description: string | null;
  active: boolean;
  /** Newest first. */
  secrets: StoredSecret[];
  failing_since: Date | null;
  /** When it failed last, as far as that was noted; of no meaning where it does not fail, absent in rows of earlier versions. */
  last_failed_at?: Date;
  /** When a delivery was last given up after all its attempts; of no meaning where it is before `failing_since`. */
  exhausted_at?: Date;
  disabled_at: Date | null;
  disabled_reason: 'gone' | 'failing' | null;
  /** The receiver asked to be left alone until then. */
  paused_until: Date | null;
  date_created: Date;
  date_updated: Date;
  /** Moves with every change that people see; absent in rows of before it was counted. */
  revision?: number;
}

/** That an endpoint fails. */
export interface Failing {
  /** Since when it had failed as it was last read; null where it had not. */
  before: Date | null;
  since: Date;
  /** When it failed last. */
  at: Date;
  /** Whether a delivery was given up with it, after all its attempts. */
  isLast: boolean;
}

export const webhooks = collection<WebhookRow>('webhooks', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', but: switchedOff },
  growth: {
    per: 'webhook',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, _id: 1 }, name: 'workspace' },
    { key: { 'secrets.sealed.key_id': 1 }, name: 'secret_key' },
    KEY_INDEX,
  ],
});

/** In a clone no receiver hears anything before somebody wants it; the secret is made when it is switched on. */
function switchedOff(row: WebhookRow): WebhookRow {
  const well = { failing_since: null, disabled_at: null, disabled_reason: null };
  return { ...row, ...well, active: false, secrets: [], paused_until: null };
}

export type WebhookChange = Partial<
  Omit<WebhookRow, '_id' | 'workspace_id' | 'date_created' | 'revision'>
>;
export type SeenWebhook = Pick<WebhookRow, '_id' | 'workspace_id' | 'revision'>;

/** What the encryption of a webhook's secret is bound to, so that it is of no use in another row. */
export const webhookBinding = (workspaceId: string, webhookId: string): string =>
  `webhook ${workspaceId} ${webhookId}`;

/** More of them are not looked at. */
const TROUBLED_MAX = 100;

export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** Endpoints that workspaces registered. */
export function createWebhookStore(connection: Connection) {
  const rows = webhooks.open(connection);

  return {
    ...createWebhookLists(rows),
    ...createLookups(rows),
    ...createSecrets(rows),
    ...createEndpointStates(rows),

    insert: (row: WebhookRow, session: Session) =>
      refuseTakenKey(rows.insertOne(withoutMissingKey(row), { session }), keyTaken),

    /** The webhook after the change. Throws StaleWrite when it is no longer the one that was read. */
    async change(seen: SeenWebhook, change: WebhookChange): Promise<WebhookRow> {
      const update = { $set: withoutMissingKey(change), $inc: { revision: 1 } };
      const written = rows
        .of(seen.workspace_id)
        .findOneAndUpdate(asRead(seen), update, { returnDocument: 'after' });
      const changed = await refuseTakenKey(written, keyTaken);
      if (!changed) throw new StaleWrite('the webhook');
      return changed;
    },

    /** Throws StaleWrite when the webhook is no longer the one that was read. */
    async remove(seen: SeenWebhook): Promise<void> {
      const { deletedCount } = await rows.of(seen.workspace_id).deleteOne(asRead(seen));
      if (deletedCount === 0) throw new StaleWrite('the webhook');
    },
  };
}

function createWebhookLists(rows: Rows<WebhookRow>) {
  return {
    get: (workspaceId: string, id: string) => rows.of(workspaceId).findOne({ _id: id }),

    list: (
      workspaceId: string,
      { limit, offset, key }: { limit: number; offset: number; key?: string | undefined },
    ) =>
      rows
        .of(workspaceId)
        .find(key === undefined ? {} : { key })
        .sort({ workspace_id: -1, _id: -1 })
        .skip(offset)
        .limit(limit)
        .toArray(),

    /** Those that have been failing since some moment, and those that were switched off for it. */
    troubled: (workspaceId: string) =>
      rows
        .of(workspaceId)
        .find({
          $or: [
            { active: true, failing_since: { $ne: null } },
            { active: false, disabled_at: { $ne: null } },
          ],
        })
        .limit(TROUBLED_MAX)
        .toArray(),

    count: (workspaceId: string, key?: string, session?: Session) =>
      rows.of(workspaceId).count(key === undefined ? {} : { key }, { session }),
  };
}

/** For what serves many workspaces at once. */
function createLookups(rows: Rows<WebhookRow>) {
  return {
    /** Every webhook of these workspaces, active or not. */
    ofWorkspaces: (workspaceIds: readonly string[]) =>
      rows.ofEverybody
        .find(
          { workspace_id: { $in: [...workspaceIds] } },
          { projection: { workspace_id: 1, event_types: 1, active: 1 } },
        )
        .toArray(),

    /** For the sender, which serves all workspaces at once. */
    byIds: (ids: readonly string[]) => rows.ofEverybody.find({ _id: { $in: [...ids] } }).toArray(),

    /** A page of all active webhooks, by id. */
    activeAfter: (id: string, limit: number) =>
      rows.ofEverybody
        .find({ _id: { $gt: id }, active: true }, { projection: { workspace_id: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
  };
}

function createSecrets(rows: Rows<WebhookRow>) {
  return {
    /** Replaces the secrets if they are still those that were read. */
    async replaceSecrets(before: WebhookRow, secrets: StoredSecret[], now: Date): Promise<boolean> {
      const { modifiedCount } = await rows.of(before.workspace_id).updateOne(
        {
          _id: before._id,
          'secrets.0.sealed.text': before.secrets[0]?.sealed.text,
        },
        { $set: { secrets, date_updated: now } },
      );
      return modifiedCount === 1;
    },

    sealed: sealedRows<WebhookRow>(rows.ofEverybody, {
      at: 'secrets.sealed',
      valuesOf: ({ _id, workspace_id, secrets }) =>
        secrets.map(({ sealed }, index) => ({
          path: `secrets.${index}.sealed`,
          sealed,
          boundTo: webhookBinding(workspace_id, _id),
        })),
    }),
  };
}

/** What deliveries show of an endpoint. */
function createEndpointStates(rows: Rows<WebhookRow>) {
  return {
    /** Unless something else was noted of it meanwhile. */
    noteFailing: (workspaceId: string, id: string, { before, since, at, isLast }: Failing) =>
      rows.of(workspaceId).updateOne(
        { _id: id, failing_since: before },
        {
          $set: {
            failing_since: since,
            last_failed_at: at,
            ...(isLast ? { exhausted_at: at } : {}),
          },
        },
      ),

    noteWorking: (workspaceId: string, id: string) =>
      rows.of(workspaceId).updateOne({ _id: id }, { $set: { failing_since: null } }),

    pause: (workspaceId: string, id: string, until: Date) =>
      rows.of(workspaceId).updateOne({ _id: id }, { $max: { paused_until: until } }),

    /** Gives an endpoint up; false when it was not active, or has another address by now. */
    async disable(
      webhook: Pick<WebhookRow, '_id' | 'workspace_id' | 'url'>,
      { reason, now }: { reason: 'gone' | 'failing'; now: Date },
      session: Session,
    ): Promise<boolean> {
      const { _id, workspace_id, url } = webhook;
      const { modifiedCount } = await rows.of(workspace_id).updateOne(
        { _id, url, active: true },
        {
          $set: { active: false, disabled_at: now, disabled_reason: reason, date_updated: now },
          $inc: { revision: 1 },
        },
        { session },
      );
      return modifiedCount === 1;
    },
  };
}
