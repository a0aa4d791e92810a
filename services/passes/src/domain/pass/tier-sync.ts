import type { JsonObject } from '@laurel/errors';
import type { Pass } from './pass';

/** What a tier asks of the passes of its members (part 1, Tier). */
export interface TierOnPass {
  id: string;
  name: string;
  pass_template_id: string | null;
  pass_sync_config: { field_name?: string; sync_value?: string };
}

/**
 * The pass with what the tier writes into its overrides, and without what a tier had written before; that one may have
 * another name by now, or be gone.
 */
export function withTierField(
  pass: Pass,
  tiers: readonly TierOnPass[],
  current: TierOnPass | null,
): Pass {
  const { pass_fields: fields, tier_field: written } = pass;
  const rest = { ...fields };
  if (written !== null && hasTierField(pass)) delete rest[written.name];
  const name = current?.pass_sync_config.field_name;
  const tier_field = name === undefined ? null : { name, value: syncValue(current!) };
  return { ...pass, pass_fields: syncedFields(rest, tiers, current), tier_field };
}

/** Whether the field that tiers write on a pass is theirs: nothing else has been put there. */
export function isLeftToTiers(pass: Pass, current: TierOnPass | null): boolean {
  if (pass.tier_field !== null) return hasTierField(pass);
  const name = current?.pass_sync_config.field_name;
  return name !== undefined && (pass.pass_fields[name] ?? null) === null;
}

/** Whether a pass shows what a tier wrote; nothing else has been put in its place. */
function hasTierField({ pass_fields: fields, tier_field: written }: Pass): boolean {
  return written !== null && fields[written.name] === written.value;
}

/** The overrides with what the tier writes into them, and without what other tiers write. */
export function syncedFields(
  fields: JsonObject,
  tiers: readonly TierOnPass[],
  current: TierOnPass | null,
): JsonObject {
  const synced = { ...fields };
  for (const tier of tiers) {
    const name = tier.pass_sync_config.field_name;
    if (name !== undefined && tier.id !== current?.id && synced[name] === syncValue(tier))
      delete synced[name];
  }
  const name = current?.pass_sync_config.field_name;
  if (name !== undefined) synced[name] = syncValue(current!);
  return synced;
}

/** What a tier writes where it only names a field: its own name. */
function syncValue({ name, pass_sync_config }: TierOnPass): string {
  return pass_sync_config.sync_value ?? name;
}

interface Place {
  id: string;
  project_id: string;
}

/** The pass on the template of a tier. While it is on a temporary template, it goes there when that ends. */
export function withTierTemplate(pass: Pass, template: Place): Pass {
  const home = pass.previous_template_id ?? pass.pass_template_id;
  if (home === template.id) return pass;
  const before = pass.tier_template?.id === home ? pass.tier_template.before : home;
  return { ...atHome(pass, template), tier_template: { id: template.id, before } };
}

/** The template to go back to once no tier asks for one; null where none was put on by a tier. */
export function templateBeforeTier(pass: Pass): string | null {
  const home = pass.previous_template_id ?? pass.pass_template_id;
  return pass.tier_template?.id === home ? pass.tier_template.before : null;
}

/** The template that a pass is one of, whatever its tier, or a while on another one, makes it show. */
export const homeOf = (pass: Pass): string =>
  templateBeforeTier(pass) ?? pass.previous_template_id ?? pass.pass_template_id;

/** Whether who has the pass has one on the template: it shows that, goes back to it, or was on it before its tier. */
export const isOfTemplate = (pass: Pass, templateId: string): boolean =>
  [pass.pass_template_id, pass.previous_template_id, templateBeforeTier(pass)].includes(templateId);

export function withoutTierTemplate(pass: Pass, before: Place): Pass {
  return { ...atHome(pass, before), tier_template: null };
}

function atHome(pass: Pass, { id, project_id }: Place): Pass {
  return pass.previous_template_id === null
    ? { ...pass, pass_template_id: id, project_id }
    : { ...pass, previous_template_id: id };
}
