import { newTemplate, type Template, type TemplateFields } from '../template/template';
import type { Pass } from './pass';
import { hasPlaceholder } from './placeholders';

const DAY_MS = 86_400_000;
/** For so long phones get the empty card in place of one whose pass or client is gone (part 4, section 4). */
export const RETIRED_DAYS = 30;

const LOOK = [
  'name',
  'pass_type',
  'apple_pass_type_identifier',
  'background_color',
  'label_color',
  'value_color',
  'logo_text',
  'icon',
  'logo',
  'cover_image',
] as const satisfies readonly (keyof TemplateFields)[];

/** What the empty card keeps of the template: its look, and nothing that is filled with what is known of somebody. */
export type Look = Pick<TemplateFields, (typeof LOOK)[number]>;

export interface RetiredPass {
  passId: string;
  workspaceId: string;
  templateId: string;
  /** Of the links that lead to the empty card; absent where they were never made anew. */
  linkGeneration?: number;
  look: Look;
  retiredAt: Date;
  /** From then on nothing is known of it any more. */
  until: Date;
}

export function retiredPass(
  {
    id: passId,
    workspace_id: workspaceId,
    link_generation: linkGeneration,
  }: Pick<Pass, 'id' | 'workspace_id' | 'link_generation'>,
  template: Template,
  now: Date,
): RetiredPass {
  const kept = Object.fromEntries(
    LOOK.map((name) => [name, isOfAll(template[name]) ? template[name] : null]),
  ) as unknown as Look;
  const look = { ...kept, name: isOfAll(template.name) ? template.name : '' };
  const until = new Date(now.getTime() + RETIRED_DAYS * DAY_MS);
  return {
    passId,
    workspaceId,
    templateId: template.id,
    linkGeneration,
    look,
    retiredAt: now,
    until,
  };
}

/** The template that draws the empty card: a look, without lines, lists, places and barcode. */
export function emptyTemplate({
  workspaceId,
  templateId: id,
  look,
  retiredAt,
}: RetiredPass): Template {
  const fields = { ...look, barcode_type: 'none' as const };
  const place = { id, workspaceId, projectId: id };
  return newTemplate({ ...place, fields }, { userId: null, now: retiredAt });
}

function isOfAll(value: string | null): boolean {
  return value === null || !hasPlaceholder(value);
}
