import type { BarcodeType, PassType } from '@laurel/contract';
import { type Author, firstRevisionBy } from '../author';

/** A line of a pass; its value may hold placeholders. */
export interface PassField {
  id: string;
  label: string;
  value: string;
}

export interface Location {
  latitude: number;
  longitude: number;
  altitude?: number;
  name?: string;
}

/** What a workspace decides of a template (part 2, Pass template). */
export interface TemplateFields {
  /** What files call it; given once. */
  key?: string | null;
  name: string;
  description: string | null;
  pass_type: PassType;
  apple_pass_type_identifier: string | null;
  background_color: string | null;
  label_color: string | null;
  value_color: string | null;
  logo_text: string | null;
  icon: string | null;
  logo: string | null;
  cover_image: string | null;
  barcode_type: BarcodeType;
  barcode_id: string | null;
  barcode_label: string | null;
  top_field_label: string | null;
  top_field_value: string | null;
  front_fields: PassField[];
  secondary_fields: PassField[];
  back_fields: PassField[];
  show_benefits_on_back: boolean;
  show_available_rewards_on_back: boolean;
  show_active_rewards_on_back: boolean;
  show_loyalty_portal_link_on_back: boolean;
  show_referral_code_on_back: boolean;
  back_sections_order: string[] | null;
  locations: Location[];
  location_message: string | null;
  ios_deeplink_id: number | null;
  ios_deeplink_url: string | null;
  tier_id: string | null;
  tier_label: string | null;
  /** So long after it is made a pass expires; null where it never does. */
  expires_after_days: number | null;
}

/** How the passes of a project look. */
export interface Template extends TemplateFields {
  id: string;
  workspace_id: string;
  project_id: string;
  user_created: string | null;
  user_updated: string | null;
  date_created: Date;
  date_updated: Date;
  /** Where its passes are being moved before it is deleted; null while it is in use. */
  migrating_to: string | null;
  /** How many have been moved so far. */
  migrated: number;
  revision: number;
}

const DEFAULTS: Omit<TemplateFields, 'name'> = {
  description: null,
  pass_type: 'LOYALTY',
  apple_pass_type_identifier: null,
  background_color: null,
  label_color: null,
  value_color: null,
  logo_text: null,
  icon: null,
  logo: null,
  cover_image: null,
  barcode_type: 'qr',
  barcode_id: null,
  barcode_label: null,
  top_field_label: null,
  top_field_value: null,
  front_fields: [],
  secondary_fields: [],
  back_fields: [],
  show_benefits_on_back: false,
  show_available_rewards_on_back: false,
  show_active_rewards_on_back: false,
  show_loyalty_portal_link_on_back: false,
  show_referral_code_on_back: false,
  back_sections_order: null,
  locations: [],
  location_message: null,
  ios_deeplink_id: null,
  ios_deeplink_url: null,
  tier_id: null,
  tier_label: null,
  expires_after_days: null,
};

export type TemplateChanges = Partial<TemplateFields>;

export interface NewTemplate {
  id: string;
  workspaceId: string;
  projectId: string;
  fields: TemplateChanges & Pick<TemplateFields, 'name'>;
}

export function newTemplate(
  { id, workspaceId, projectId, fields }: NewTemplate,
  author: Author,
): Template {
  return {
    ...DEFAULTS,
    ...fields,
    id,
    workspace_id: workspaceId,
    project_id: projectId,
    ...firstRevisionBy(author),
    migrating_to: null,
    migrated: 0,
  };
}

export function changedTemplate(
  template: Template,
  changes: TemplateChanges,
  { userId, now }: Author,
): Template {
  return { ...template, ...changes, user_updated: userId, date_updated: now };
}
