import type { PassStatus } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { type Author, firstRevisionBy } from '../author';
import { NO_TEXTS, type PushTexts, withText } from './push-texts';

/** What somebody has on a phone, or may put there: a template, filled with what is known of a client. */
export interface Pass extends PushTexts {
  id: string;
  workspace_id: string;
  project_id: string;
  pass_template_id: string;
  client_id: string | null;
  /** By which fields of the client the last text was filled; null where that is not known, on passes older than this. */
  notification_fields: readonly string[] | null;
  /** What this pass shows in place of what the template says. */
  pass_fields: JsonObject;
  barcode_value: string;
  /** The value that the pass was made with, which stays; null where it is worked out. */
  barcode_given: string | null;
  /** A value that cannot be guessed, for where nothing else can be shown; null on passes older than it. */
  barcode_spare: string | null;
  /** Voided ones are shown as such and cannot be acted on. */
  status: PassStatus;
  /** From when on it is as good as voided; null where it never is. */
  expires_at: Date | null;
  /** Whether staff ended it, or had it end earlier; else its template said when, as it was made or renewed. Null on passes older than it. */
  expiry_given: boolean | null;
  /** Its client was anonymized: phones get an empty card in its place, and it does not come back. */
  retired: boolean;
  /** When a temporary template ends, and what comes after it. */
  template_expires_at: Date | null;
  previous_template_id: string | null;
  /** The template that a tier put on the pass, and the one it was on before; null while no tier did. */
  tier_template: { id: string; before: string } | null;
  /** What a tier wrote among the overrides; null while none did, and on passes older than it. */
  tier_field: { name: string; value: string } | null;
  /** How often its links were made anew; a link of an earlier generation leads nowhere. */
  link_generation: number;
  /**
   * Whether it was handed to the sender of a form, or to whom a text message let in, who had not shown to be its client;
   * null on passes from before this was kept.
   */
  handed_out: boolean | null;
  /** The generation whose links only the holder of a proven address of the client has; null where others may. */
  safe_generation: number | null;
  /** Since when it is its client's, where that came after it was made; null where it is since then, or that is not known. */
  held_since: Date | null;
  /** On whose wallets the pass is; kept by what registers devices. */
  on_apple: boolean;
  on_google: boolean;
  user_created: string | null;
  user_updated: string | null;
  date_created: Date;
  date_updated: Date;
  revision: number;
}

/** Whose address was just proven. */
export interface ProvenClient {
  workspaceId: string;
  clientId: string;
  /** Whether a form made the client; decides for passes of which is not known to whom they went. */
  cameByForm: boolean;
  /**
   * The moment of the proof, where a text message had opened a session before: until then it showed all passes of the client,
   * made by staff or by forms.
   */
  shownUntil?: Date | undefined;
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
> &
  Partial<Pick<Pass, 'barcode_given' | 'barcode_spare' | 'handed_out' | 'safe_generation'>>;

export function newPass(fields: NewPass, author: Author): Pass {
  return {
    barcode_given: null,
    barcode_spare: null,
    handed_out: false,
    safe_generation: null,
    held_since: null,
    link_generation: 0,
    ...fields,
    ...NO_TEXTS,
    notification_fields: [],
    notification_count: 0,
    notification_repeat: 0,
    status: 'active',
    expires_at: null,
    expiry_given: false,
    retired: false,
    template_expires_at: null,
    previous_template_id: null,
    tier_template: null,
    tier_field: null,
    on_apple: false,
    on_google: false,
    ...firstRevisionBy(author),
  };
}

/**
 * The pass of somebody anonymized: ended for good, and without overrides, texts that were filled with a name and barcodes
 * that were made of what was known.
 */
export function scrubbedPass(pass: Pass, { barcode, now }: { barcode: string; now: Date }): Pass {
  return {
    ...pass,
    pass_fields: {},
    tier_field: null,
    ...NO_TEXTS,
    notification_fields: [],
    barcode_value: barcode,
    barcode_given: null,
    barcode_spare: barcode,
    status: 'voided',
    retired: true,
    date_updated: now,
  };
}

/** Whether a pass says nothing any more of whom it was of. */
export function isScrubbed({
  retired,
  pass_fields,
  notification,
  notification_queue: queue,
  barcode_value,
  barcode_spare,
}: Pass): boolean {
  const isSilent = notification === null && (queue ?? []).length === 0;
  const isPlain = isSilent && Object.keys(pass_fields).length === 0;
  return retired && isPlain && barcode_value === barcode_spare;
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

/**
 * The pass with a text that phones are to show, each time that it is sent (part 4, section 4). Without a text what waits is
 * taken away as well.
 *
 * @param fields what of the client fills it
 */
export function notifiedPass(
  pass: Pass,
  text: string | null,
  fields: readonly string[] = [],
): Pass {
  if (!text) return { ...pass, ...NO_TEXTS, notification: text, notification_fields: [] };
  return { ...pass, ...withText(pass, text), notification_fields: fields };
}

const DAY_MS = 86_400_000;

/** When a pass made now on the template expires; null where it never does. */
export function expiryOf(
  { expires_after_days: days }: { expires_after_days?: number | null },
  now: Date,
): Date | null {
  return typeof days === 'number' ? new Date(now.getTime() + days * DAY_MS) : null;
}

/** The end that staff give a pass: where it is no earlier than the one it had, who said that one is as it was. */
export function expiryBy(
  { expires_at: before, expiry_given: given }: Pick<Pass, 'expires_at' | 'expiry_given'>,
  expiresAt: Date | null,
): Pick<Pass, 'expires_at' | 'expiry_given'> {
  const isEarlier = expiresAt !== null && (before === null || expiresAt < before);
  return { expires_at: expiresAt, expiry_given: expiresAt !== null && (isEarlier || given) };
}

/** Why nothing may be done with a pass any more; null while something may. */
export function endOf(
  { status, expires_at: expiresAt }: Pick<Pass, 'status' | 'expires_at'>,
  now: Date,
): 'voided' | 'expired' | null {
  if (status === 'voided') return 'voided';
  return expiresAt !== null && expiresAt <= now ? 'expired' : null;
}
