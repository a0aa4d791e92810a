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
    on_apple: false,
    on_google: false,
    user_created: userId,
    user_updated: null,
    date_created: now,
    date_updated: now,
    revision: 1,
  };
}
