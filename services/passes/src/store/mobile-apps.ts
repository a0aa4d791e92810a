import { requestNow } from '@laurel/lifecycle';
import { type Connection, collection, orStale, type Session, StaleWrite } from '@laurel/mongo';
import type { Action, AppConfig, FormField, MobileApp } from '../domain/mobile/mobile-app';

const NEVER = new Date(0);

export const mobileApps = collection<MobileAppDocument>('mobile_apps', {
  tenant: '_id',
  person: 'nobody',
  clone: { copied: 'all', inner: ownIds },
  growth: {
    per: 'workspace',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { 'config.actions.id': 1 }, name: 'of_action' }],
});

/** Form fields are kept as text: their members may be called anything, those of stored documents may not. */
type ActionDocument = Omit<Action, 'form_fields'> & { form_fields_json: string };
type ConfigDocument = Omit<AppConfig, 'actions'> & { actions: ActionDocument[] };

interface MobileAppDocument {
  /** The workspace: it has one app at most. */
  _id: string;
  config: ConfigDocument | null;
  changed_at: Date;
  /** When anything of it was changed last; absent in rows of before this was noted. */
  edited_at?: Date;
  revision: number;
}

/** What has an id of its own within the row: the config, and its actions, which are opened by theirs alone. */
function ownIds({ config }: MobileAppDocument): string[] {
  return config ? [config.id, ...config.actions.map(({ id }) => id)] : [];
}

/** One document per workspace with everything of its app, so that each change of it is one write. */
export function createMobileAppStore(connection: Connection) {
  const rows = mobileApps.open(connection);

  return {
    async find(workspaceId: string, session?: Session): Promise<MobileApp> {
      const document = await rows.of(workspaceId).findOne({}, { session });
      return document
        ? toMobileApp(document)
        : { workspaceId, config: null, changedAt: NEVER, revision: 0 };
    },

    /** The workspace that an action belongs to; null where there is none of that id. */
    async workspaceOfAction(actionId: string): Promise<string | null> {
      const filter = { 'config.actions.id': actionId };
      const document = await rows.ofEverybody.findOne(filter, { projection: { _id: 1 } });
      return document?._id ?? null;
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async save(app: MobileApp, session: Session): Promise<void> {
      const document = toDocument(app);
      if (app.revision === 0) {
        await orStale('the app', rows.insertOne(document, { session }));
        return;
      }
      const own = rows.of(app.workspaceId);
      const { matchedCount } = await own.replaceOne({ revision: app.revision }, document, {
        session,
      });
      if (matchedCount === 0) throw new StaleWrite('the app');
    },
  };
}

function toDocument({ workspaceId, config, changedAt, revision }: MobileApp): MobileAppDocument {
  const actions = config?.actions.map(({ form_fields, ...action }) => ({
    ...action,
    form_fields_json: JSON.stringify(form_fields),
  }));
  return {
    _id: workspaceId,
    config: config && { ...config, actions: actions ?? [] },
    changed_at: changedAt,
    edited_at: requestNow(),
    revision: revision + 1,
  };
}

function toMobileApp({
  _id,
  config,
  changed_at,
  edited_at,
  revision,
}: MobileAppDocument): MobileApp {
  const actions = config?.actions.map(({ form_fields_json, ...action }) => ({
    ...action,
    form_fields: JSON.parse(form_fields_json) as FormField[],
  }));
  return {
    workspaceId: _id,
    config: config && { ...config, actions: actions ?? [] },
    changedAt: changed_at,
    ...(edited_at ? { editedAt: edited_at } : {}),
    revision,
  };
}
