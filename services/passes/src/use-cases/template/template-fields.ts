import { TEMPLATE_FIELD_LISTS, TEMPLATE_IMAGES } from '@laurel/contract';
import { invalidPayload, type Problem } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import type { PassField, TemplateChanges } from '../../domain/template/template';
import { refusals } from '../../refusals';
import { parseImageSource } from '../file/image-source';

/** The fields of a request that are there, with an id for every line that came without one. */
export function templateFieldsOf(fields: api.TemplateFields): TemplateChanges {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(present) as TemplateChanges;
  for (const list of TEMPLATE_FIELD_LISTS) {
    const lines = changes[list];
    if (lines) changes[list] = lines.map(withId);
  }
  return changes;
}

function withId({ id, label, value }: Omit<PassField, 'id'> & { id?: string }): PassField {
  return { id: id ?? newId(), label, value };
}

/** Refuses ids that name nothing in the workspace, and images that could never be shown; all of them at once. */
export async function requireKnownReferences(
  deps: Pick<PassDeps, 'tiers' | 'files'>,
  workspaceId: string,
  fields: TemplateChanges,
): Promise<void> {
  const [unknown, hasTier] = await Promise.all([
    deps.files.unknownAmong(workspaceId, filesOf(fields)),
    isTier(deps, workspaceId, fields.tier_id),
  ]);
  const tierProblems = hasTier ? [] : refusals.unknownTier({ field: 'tier_id' }).problems;
  refuse([addressProblems(fields), unknownFiles(fields, unknown), tierProblems].flat());
}

async function isTier(
  { tiers }: Pick<PassDeps, 'tiers'>,
  workspaceId: string,
  id: string | null | undefined,
): Promise<boolean> {
  if (!id) return true;
  return (await tiers.GetTiers({ workspace_id: workspaceId, ids: [id] })).tiers.length > 0;
}

const addressProblems = (fields: TemplateChanges): Problem[] =>
  imagesOf(fields).flatMap(([field, source]) => {
    if (source.kind !== 'url' || source.complaint === null) return [];
    const message = `${field} must be a file id, an https URL or \${custom_fields.<name>}`;
    return [{ field, message: `${message}: ${source.complaint}` }];
  });

/**
 * Takes up the files that a template is about to show, in the transaction that writes it: none of them is deleted at the
 * same moment. Refuses one that went since it was checked.
 */
export async function takeUpImages(
  { files }: Pick<PassDeps, 'files'>,
  { workspaceId, fields }: { workspaceId: string; fields: TemplateChanges },
  session: Session,
): Promise<void> {
  refuse(unknownFiles(fields, await files.touch(workspaceId, filesOf(fields), session)));
}

const imagesOf = (fields: TemplateChanges) =>
  TEMPLATE_IMAGES.map((field) => [field, parseImageSource(fields[field] ?? '')] as const);

const filesOf = (fields: TemplateChanges): string[] =>
  imagesOf(fields).flatMap(([, source]) => (source.kind === 'uuid' ? [source.fileId] : []));

const unknownFiles = (fields: TemplateChanges, unknown: readonly string[]): Problem[] =>
  imagesOf(fields).flatMap(([field, source]) =>
    source.kind === 'uuid' && unknown.includes(source.fileId)
      ? refusals.unknownFile({ field }).problems
      : [],
  );

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidPayload(problems);
}
