import type { JsonObject } from '@laurel/errors';

/** What somebody has on a phone, or may put there: a template, filled with what is known of a client. */
export interface Pass {
  id: string;
  workspace_id: string;
  project_id: string;
  pass_template_id: string;
  client_id: string | null;
  /** The last text that was pushed. */
  notification: string | null;
  /** What this pass shows in place of what the template says. */
  pass_fields: JsonObject;
  barcode_value: string;
  /** When a temporary template ends, and what comes after it. */
  template_expires_at: Date | null;
  previous_template_id: string | null;
  /** The template that a tier put on the pass, and the one it was on before; null while no tier did. */
  tier_template: { id: string; before: string } | null;
  /** On whose wallets the pass is; kept by what registers devices. */
  on_apple: boolean;
  on_google: boolean;
  user_created: string | null;
  user_updated: string | null;
  date_created: Date;
  date_updated: Date;
  revision: number;
}

export type NewPass = Pick<
  Pass,
  | 'id'
  | 'workspace_id'
  | 'project_id'
  | 'pass_template_id'
  | 'client_id'
  | 'pass_fields'
  | 'barcode_value'
>;

export function newPass(
  fields: NewPass,
  { userId, now }: { userId: string | null; now: Date },
): Pass {
  return {
    ...fields,
    notification: null,
    template_expires_at: null,
    previous_template_id: null,
    tier_template: null,
    on_apple: false,
    on_google: false,
    user_created: userId,
    user_updated: null,
    date_created: now,
    date_updated: now,
    revision: 1,
  };
}

export interface TemplateSwitch {
  templateId: string;
  projectId: string;
  /** When the pass goes back; null: for good. */
  expiresAt: Date | null;
}

/**
 * The pass on another template. A temporary one remembers where to go back to: to where the pass was before the first
 * of several temporary ones. Going there on purpose ends it early.
 */
export function switchedPass(
  pass: Pass,
  { templateId, projectId, expiresAt }: TemplateSwitch,
): Pass {
  const home = pass.previous_template_id ?? pass.pass_template_id;
  const isTemporary = expiresAt !== null && templateId !== home;
  return {
    ...pass,
    pass_template_id: templateId,
    project_id: projectId,
    template_expires_at: isTemporary ? expiresAt : null,
    previous_template_id: isTemporary ? home : null,
  };
}
