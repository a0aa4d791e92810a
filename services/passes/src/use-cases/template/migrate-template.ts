import { invalidField } from '@laurel/errors';
import { commitOnce, type Session, unitOfWork } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { Room } from '@laurel/work';
import type { PassDeps } from '../../deps';
import { movedPass } from '../../domain/pass/moved-pass';
import type { Pass } from '../../domain/pass/pass';
import { homeOf, isOfTemplate } from '../../domain/pass/tier-sync';
import type { Template } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { handOver } from '../pass/hand-over';
import { enterTemplate, rewritePass } from '../pass/write-pass';

const PASSES_PER_STEP = 100;
const ABANDONED_MS = 60_000;
/** One of each workspace: a template with a million passes keeps no other's waiting. */
const ROOM: Room = { count: 10, share: 1, inHand: new Map() };
const TARGET = 'target_template_id';

/**
 * Moves all passes of a template to another one, and whatever gives it out, and deletes it. From the first write on no pass comes to the template
 * any more and no other client can have it; `finishMigrations` follows a replica that dies on the way. Of two passes of a
 * client the one that was on the target keeps its client, the moved one has none, and its links end.
 */
export async function migrateTemplate(
  deps: PassDeps,
  request: api.MigrateTemplateRequest,
): Promise<api.MigratedTemplate> {
  const { workspace_id: workspaceId, id, target_template_id: targetId } = request;
  if (id === targetId) throw invalidField(TARGET, 'a template cannot be migrated to itself');
  const source = await unitOfWork(deps.connection, (session) => begin(deps, request, session));
  if (source) await moveAll(deps, source);
  return commitOnce(deps.connection, async (session) => {
    const moved = await deps.templates.find(workspaceId, id, session);
    if (!moved) throw refusals.passTemplateNotFound();
    await deps.templates.remove(workspaceId, id, session);
    return {
      deleted_template_id: id,
      target_template_id: targetId,
      migrated_passes: moved.migrated,
    };
  });
}

/** Goes on with migrations that no replica is at any more, of different workspaces side by side. */
export async function finishMigrations(deps: PassDeps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - ABANDONED_MS);
  const abandoned = await deps.templates.listAbandoned(before, ROOM);
  await Promise.all(abandoned.map((source) => finishMigration(deps, source)));
}

async function finishMigration(deps: PassDeps, source: Template): Promise<void> {
  const { workspace_id: workspaceId, id } = source;
  try {
    await moveAll(deps, source);
    await unitOfWork(deps.connection, async (session) => {
      await deps.templates.remove(workspaceId, id, session);
    });
  } catch (error) {
    deps.logger.error({ err: error, template_id: id }, 'a migration could not be ended yet');
  }
}

/** The template, closed and with its target; null where it is gone, perhaps by an earlier try of the same request. */
async function begin(
  deps: PassDeps,
  { workspace_id: workspaceId, id, target_template_id: targetId }: api.MigrateTemplateRequest,
  session: Session,
): Promise<Template | null> {
  const source = await deps.templates.find(workspaceId, id, session);
  if (!source || source.migrating_to === targetId) return source;
  if (source.migrating_to !== null) throw refusals.templateMigrating();
  if (await deps.templates.isTarget(workspaceId, id, session)) throw refusals.templateMigrating();
  const named = { workspaceId, templateId: targetId, field: TARGET };
  const target = await enterTemplate(deps, named, session);
  await deps.templates.closeDoors(workspaceId, id, session);
  for (const { moveToTemplate } of deps.belongings)
    await moveToTemplate(workspaceId, { from: id, target }, session);
  const migrating = { ...source, migrating_to: targetId, date_updated: deps.clock.now() };
  await deps.templates.replace(migrating, session);
  // What comes to name it later finds no such template: from the commit on `getTemplates` leaves it out.
  await deps.references.requireUnreferenced(workspaceId, 'pass_template', [id]);
  return migrating;
}

async function moveAll(deps: PassDeps, source: Template): Promise<void> {
  const step = (session: Session) => moveSome(deps, source, session);
  while ((await unitOfWork(deps.connection, step)) > 0);
}

/** Moves some passes in one transaction and counts them; two at it at once stand in each other's way, not more. */
async function moveSome(deps: PassDeps, source: Template, session: Session): Promise<number> {
  const { id, workspace_id: workspaceId } = source;
  const current = await deps.templates.find(workspaceId, id, session);
  if (!current) return 0;
  const passes = await deps.passes.listOnTemplate(
    workspaceId,
    { templateId: id, max: PASSES_PER_STEP },
    session,
  );
  if (passes.length === 0) return 0;
  const targetId = source.migrating_to!;
  const target = await deps.templates.find(workspaceId, targetId, session);
  const owners = passes.map((pass) => pass.client_id).filter((clientId) => clientId !== null);
  const held = await deps.passes.listOfClients(workspaceId, owners, session);
  for (const before of passes) {
    const isTaken = held.some(
      (pass) => isOthersOf(before, pass) && isInTheWay(pass, { before, id, targetId }),
    );
    const moved = movedPass(before, id, target!);
    const next = isTaken ? null : moved.client_id;
    const given = await handOver(deps, { pass: moved, next }, session);
    const after = { ...given, date_updated: deps.clock.now() };
    await rewritePass(deps, { before, after, source: 'migration' }, session);
  }
  const migrated = current.migrated + passes.filter((pass) => pass.pass_template_id === id).length;
  await deps.templates.replace({ ...current, migrated, date_updated: deps.clock.now() }, session);
  return passes.length;
}

/** Whether a client has another pass on the target already, where one is about to show it, or to return to it. */
function isInTheWay(
  other: Pass,
  { before, id, targetId }: { before: Pass; id: string; targetId: string },
): boolean {
  if (before.pass_template_id === id) return isOfTemplate(other, targetId);
  // One that shows the target for its tier or for some days alone goes away again, and this one can wait for that.
  return homeOf(before) === id && homeOf(other) === targetId;
}

/** Another pass of the same client: one that is moved may itself have been on the target before its tier. */
const isOthersOf = (pass: Pass, other: Pass): boolean =>
  other.id !== pass.id && other.client_id === pass.client_id;
