import { createEvent } from '@laurel/events';
import { commitOnce, etagOf, requireUnchanged } from '@laurel/mongo';
import type { MobileDeps } from '../../deps';
import { type AppConfig, changedApp, type MobileApp } from '../../domain/mobile/mobile-app';
import { refusals } from '../../refusals';

export type ChangeDeps = Pick<
  MobileDeps,
  'connection' | 'mobileApps' | 'identity' | 'outbox' | 'clock' | 'logger'
>;

interface Change<T> {
  /** Null deletes it. */
  config: AppConfig | null;
  /** @param etag of what comes of the change */
  reply: (etag: string) => T;
}

/** Who may use the app, as identity keeps it; `is_enabled` and roles of no config restrict nothing. */
interface Access {
  is_enabled: boolean;
  allowed_role_ids: string[] | null;
  changed_at: string;
}

/**
 * Changes the config itself. Identity hears of it twice: by an event that commits with the change and cannot get
 * lost, and at once, so that the next request of a device already meets what was decided (docs/adr/0005).
 */
export async function changeAccess<T>(
  deps: ChangeDeps,
  workspaceId: string,
  change: (config: AppConfig | null) => Change<T>,
): Promise<T> {
  const { reply, access } = await commitOnce(deps.connection, async (session) => {
    const app = await deps.mobileApps.find(workspaceId, session);
    const { config, reply: answer } = change(app.config);
    requireSeen(app);
    const changed = changedApp(app, config, { now: deps.clock.now(), touchesAccess: true });
    await deps.mobileApps.save(changed, session);
    await deps.outbox.append([accessEvent(changed)], session);
    return { reply: answer(nextEtag(app, config)), access: accessOf(changed) };
  });
  await tellIdentity(deps, workspaceId, access);
  return reply;
}

/** Changes the actions of a config, which must be there. */
export function changeActions<T>(
  deps: ChangeDeps,
  workspaceId: string,
  change: (config: AppConfig) => { actions: AppConfig['actions']; reply: (etag: string) => T },
): Promise<T> {
  return commitOnce(deps.connection, async (session) => {
    const app = await deps.mobileApps.find(workspaceId, session);
    if (!app.config) throw refusals.mobileAppNotConfigured();
    const { actions, reply } = change(app.config);
    requireSeen(app);
    const config = { ...app.config, actions };
    const now = deps.clock.now();
    await deps.mobileApps.save(changedApp(app, config, { now, touchesAccess: false }), session);
    return reply(nextEtag(app, config));
  });
}

/** The app is one row, config and actions: its version moves with each of them. */
export const appEtagOf = ({ config, revision }: MobileApp): string | undefined =>
  config ? etagOf({ id: config.id, revision }) : undefined;

const nextEtag = (app: MobileApp, config: AppConfig | null): string =>
  appEtagOf({ ...app, config, revision: app.revision + 1 }) ?? '';

const requireSeen = ({ config, revision, editedAt }: MobileApp): void =>
  requireUnchanged(config && { id: config.id, revision, changedAt: editedAt });

function accessOf({ config, changedAt }: MobileApp): Access {
  return {
    is_enabled: config?.is_enabled ?? true,
    allowed_role_ids: config?.allowed_role_ids ?? null,
    changed_at: changedAt.toISOString(),
  };
}

function accessEvent(app: MobileApp) {
  const { workspaceId, config } = app;
  const { changed_at, ...access } = accessOf(app);
  const envelope = { workspaceId, subject: workspaceId };
  return config
    ? createEvent('passes.mobile_app_config_updated', {
        ...envelope,
        data: { workspace_id: workspaceId, ...access, changed_at },
      })
    : createEvent('passes.mobile_app_config_deleted', {
        ...envelope,
        data: { workspace_id: workspaceId, changed_at },
      });
}

async function tellIdentity(
  { identity, logger }: ChangeDeps,
  workspaceId: string,
  { is_enabled, allowed_role_ids, changed_at }: Access,
): Promise<void> {
  try {
    await identity.PutMobileAppAccess({
      workspace_id: workspaceId,
      is_enabled,
      changed_at,
      ...(allowed_role_ids ? { allowed_role_ids } : {}),
    });
  } catch (error) {
    logger.warn({ err: error }, 'identity learns of the changed app by its event');
  }
}
