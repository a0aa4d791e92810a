import type { PassStatus } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { tryAgain } from '@laurel/lifecycle';
import { commitOnce, repeatable, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { expiryBy, notifiedPass, type Pass, switchedPass } from '../../domain/pass/pass';
import {
  factNeeds,
  fieldsIn,
  fillPlaceholders,
  hasPlaceholder,
} from '../../domain/pass/placeholders';
import { refusals } from '../../refusals';
import { authorship, sourceOf } from './author';
import { requireClient } from './create-pass';
import { gatherFactsOfHeir } from './gather-facts';
import { handOver } from './hand-over';
import { AS_HANDED_OVER, HandedOver, requireHolder } from './meant-for';
import { refusingTakenPlaces } from './refusing-taken-places';
import { settleBarcode } from './settle-barcode';
import { viewPass } from './view-passes';
import { enterTemplate, writePass } from './write-pass';

const DAY_MS = 86_400_000;

/**
 * Changes a pass and asks for a wallet update. With `duration_days` the template is a temporary one, and the pass goes
 * back by itself. 409 where the client already has a pass on the template.
 */
export async function updatePass(
  deps: PassDeps,
  request: api.UpdatePassRequest,
): Promise<api.Pass> {
  const changed = await changePass(deps, request);
  return viewPass(deps, await withBarcode(deps, changed, request));
}

/** As `updatePass`, for who does not look at what the pass has become. */
export function changePass(deps: PassDeps, request: api.UpdatePassRequest): Promise<Pass> {
  return repeatable(deps.connection, () => tryAgain(AS_HANDED_OVER, () => change(deps, request)));
}

async function change(deps: PassDeps, request: api.UpdatePassRequest): Promise<Pass> {
  const { workspace_id: workspaceId, id } = request;
  await requireClient(deps, workspaceId, request.client_id);
  const holder = await requireHolder(deps, request);
  const { userId, now } = authorship(deps);
  const { text: notification, filledFor } = await filledNotification(deps, request);
  return refusingTakenPlaces(() =>
    commitOnce(deps.connection, async (session) => {
      const before = await deps.passes.find(workspaceId, id, session);
      if (!before) throw refusals.passNotFound();
      if (holder !== undefined && before.client_id !== holder) throw new HandedOver();
      requireAlive(before, request, notification);
      if (!isAnyChange(request)) return before;
      const fields = fieldsIn(request.notification ?? '');
      const next = request.client_id === undefined ? before.client_id : request.client_id;
      if (filledFor !== undefined && filledFor !== next) throw new HandedOver();
      const given = await handOver(deps, { pass: before, next }, session);
      const notified =
        notification === undefined ? given : notifiedPass(given, notification, fields);
      const after: Pass = {
        ...(await onTemplate(deps, { pass: notified, request }, session)),
        ...namedColumns(before, request),
        user_updated: userId ?? before.user_updated,
        date_updated: now,
      };
      await writePass(deps, { before, after, source: request.source ?? sourceOf() }, session);
      return after;
    }),
  );
}

/** The pass with its barcode worked out anew at once where it may be another; what fails now comes with the wallet update. */
async function withBarcode(
  deps: PassDeps,
  pass: Pass,
  request: api.UpdatePassRequest,
): Promise<Pass> {
  const isSame = [request.pass_fields, request.client_id, request.pass_template_id].every(
    (change) => change === undefined,
  );
  if (isSame) return pass;
  const { workspace_id: workspaceId, id, pass_template_id: templateId } = pass;
  try {
    const [current, template] = await Promise.all([
      deps.passes.find(workspaceId, id),
      deps.templates.find(workspaceId, templateId),
    ]);
    if (!current || !template) return pass;
    const { barcode_value } = await settleBarcode(deps, current, template);
    return { ...pass, barcode_value };
  } catch (error) {
    deps.logger.warn({ err: error, pass_id: id }, 'a barcode waits for the wallet update');
    return pass;
  }
}

/** A text to be pushed; undefined where there is none. */
interface FilledText {
  text: string | null | undefined;
  /** Whose facts are in it; absent where it says the same to all. */
  filledFor?: string | null;
}

/** The text to be pushed with its placeholders filled for the client of the pass. */
async function filledNotification(
  deps: PassDeps,
  { workspace_id, id, notification: text, pass_fields, client_id }: api.UpdatePassRequest,
): Promise<FilledText> {
  if (!text || !hasPlaceholder(text)) return { text };
  const pass = await deps.passes.find(workspace_id, id);
  if (!pass) throw refusals.passNotFound();
  const subject = {
    workspace_id,
    client_id: client_id === undefined ? pass.client_id : client_id,
    pass_fields: (pass_fields ?? pass.pass_fields) as JsonObject,
  };
  const { facts } = await gatherFactsOfHeir(deps, subject, factNeeds([text]));
  return { text: fillPlaceholders(text, facts), filledFor: subject.client_id };
}

const CHANGES = [
  'notification',
  'pass_fields',
  'client_id',
  'pass_template_id',
  'status',
  'expires_at',
] as const satisfies readonly (keyof api.UpdatePassRequest)[];

/** A request that names nothing wakes no phone. */
function isAnyChange(request: api.UpdatePassRequest): boolean {
  return CHANGES.some((name) => request[name] !== undefined);
}

/** Its client had it ended for good: who gets a card next gets a pass of their own. */
function requireAlive(
  { retired }: Pass,
  { status, client_id, notification }: api.UpdatePassRequest,
  filled: string | null | undefined,
): void {
  if (!retired) return;
  // Perhaps it ended while its text was filled with what was known of the client.
  if (filled && hasPlaceholder(notification!))
    throw refusals.passEndedWithClient({ field: 'notification' });
  if (status === 'active') throw refusals.passEndedWithClient({ field: 'status' });
  if (client_id) throw refusals.passEndedWithClient({ field: 'client_id' });
}

function namedColumns(before: Pass, request: api.UpdatePassRequest) {
  const { pass_fields, status, expires_at } = request;
  return {
    ...(pass_fields === undefined ? {} : { pass_fields: pass_fields as JsonObject }),
    ...(status === undefined ? {} : { status: status as PassStatus }),
    ...(expires_at === undefined
      ? {}
      : expiryBy(before, expires_at === null ? null : new Date(expires_at))),
  };
}

async function onTemplate(
  deps: PassDeps,
  { pass, request }: { pass: Pass; request: api.UpdatePassRequest },
  session: Session,
): Promise<Pass> {
  const { pass_template_id: templateId, duration_days: days = null } = request;
  if (templateId === undefined) return pass;
  const named = { workspaceId: pass.workspace_id, templateId, field: 'pass_template_id' };
  const template = await enterTemplate(deps, named, session);
  const expiresAt = days === null ? null : new Date(deps.clock.now().getTime() + days * DAY_MS);
  return switchedPass(pass, { templateId, projectId: template.project_id, expiresAt });
}
