import type { DistributionMode, DistributionStatus } from '@laurel/contract';
import { invalidField } from '@laurel/errors';
import { type Author, firstRevisionBy } from '../author';

/** One question of a form. `name` is a column of the client, `referral_code`, or a custom field. */
export interface FormField {
  name: string;
  label: string;
  type: string;
  required: boolean;
  /** The answers of a select; empty for every other type. */
  options: string[];
}

/** What a workspace decides of a distribution (part 3, section 10). */
export interface DistributionFields {
  /** What files call it; given once. */
  key?: string | null;
  project_id: string;
  pass_template_id: string;
  name: string;
  delivery_mode: DistributionMode;
  status: DistributionStatus;
  form_fields_config: FormField[];
  require_marketing_consent: boolean;
  /** Origins whose pages may hold the widget; `*` for all, none for none. */
  allowed_origins: string[];
  page_enabled: boolean;
  /** What visitors may read before they send the form. */
  privacy_url: string | null;
  terms_url: string | null;
  /** Before and after these the form is closed as a paused one. */
  starts_at: Date | null;
  ends_at: Date | null;
  /** How often it may be sent in all. */
  submission_limit: number | null;
}

/** A way by which people get passes of one template: a form, on a page of ours or on somebody else's. */
export interface Distribution extends DistributionFields {
  id: string;
  workspace_id: string;
  /** SHA-256 of the token of the embedded form; null before the first one was made. */
  token_sha256: string | null;
  token_prefix: string | null;
  user_created: string | null;
  user_updated: string | null;
  date_created: Date;
  date_updated: Date;
  revision: number;
}

/** What a distribution has that came before these were there. */
export const OPEN_ENDED = {
  privacy_url: null,
  terms_url: null,
  starts_at: null,
  ends_at: null,
  submission_limit: null,
} as const;

export type DistributionChanges = Partial<DistributionFields>;

/** A page is on where the distribution is given out by page, unless it is said otherwise. */
export function newDistribution(
  { id, workspaceId }: { id: string; workspaceId: string },
  fields: DistributionChanges &
    Pick<DistributionFields, 'project_id' | 'pass_template_id' | 'name'>,
  author: Author,
): Distribution {
  const distribution: Distribution = {
    delivery_mode: 'embed',
    status: 'active',
    form_fields_config: [],
    require_marketing_consent: false,
    allowed_origins: [],
    page_enabled: fields.delivery_mode === 'page',
    ...OPEN_ENDED,
    ...fields,
    id,
    workspace_id: workspaceId,
    token_sha256: null,
    token_prefix: null,
    ...firstRevisionBy(author),
  };
  requireOrder(distribution);
  return distribution;
}

export function changedDistribution(
  distribution: Distribution,
  changes: DistributionChanges,
  { userId, now }: Author,
): Distribution {
  const changed = { ...distribution, ...changes, user_updated: userId, date_updated: now };
  requireOrder(changed);
  return changed;
}

/** Whether forms are taken at a moment, but for how many were sent. */
export function isOpenAt(
  { status, starts_at, ends_at }: Pick<Distribution, 'status' | 'starts_at' | 'ends_at'>,
  now: Date,
): boolean {
  const begun = starts_at === null || starts_at <= now;
  return status === 'active' && begun && (ends_at === null || now < ends_at);
}

/** Refuses an end that is not after the beginning. */
function requireOrder({ starts_at, ends_at }: Pick<Distribution, 'starts_at' | 'ends_at'>): void {
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at)
    throw invalidField('ends_at', 'ends_at must be after starts_at');
}
