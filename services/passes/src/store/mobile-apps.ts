import { requestNow } from '@laurel/lifecycle';
import {
  type CollectionIndexes,
  type Connection,
  orStale,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import type { Action, AppConfig, FormField, MobileApp } from '../domain/mobile/mobile-app';

const COLLECTION = 'mobile_apps';
const NEVER = new Date(0);

export const mobileAppIndexes: CollectionIndexes = {
  collection: COLLECTION,
  growth: {
    per: 'workspace',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [{ key: { 'config.actions.id': 1 }, name: 'of_action' }],
};

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

/** One document per workspace with everything of its app, so that each change of it is one write. */
export function createMobileAppStore(connection: Connection) {
  const apps = connection.collection<MobileAppDocument>(COLLECTION);

  return {
    async find(workspaceId: string, session?: Session): Promise<MobileApp> {
      const document = await apps.findOne({ _id: workspaceId }, session ? { session } : {});
      return document
        ? toMobileApp(document)
        : { workspaceId, config: null, changedAt: NEVER, revision: 0 };
    },

    /** The workspace that an action belongs to; null where there is none of that id. */
    async workspaceOfAction(actionId: string): Promise<string | null> {
      const filter = { 'config.actions.id': actionId };
      const document = await apps.findOne(filter, { projection: { _id: 1 } });
      return document?._id ?? null;
    },

    /** Writes the next revision. Throws StaleWrite when it is no longer the one that was read. */
    async save(app: MobileApp, session: Session): Promise<void> {
      const document = toDocument(app);
      if (app.revision === 0) {
        await orStale('the app', apps.insertOne(document, { session }));
        return;
      }
      const filter = { _id: app.workspaceId, revision: app.revision };
      const { matchedCount } = await apps.replaceOne(filter, document, { session });
      if (matchedCount === 0) throw new StaleWrite('the app');
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await apps.deleteOne({ _id: workspaceId });
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
