export const COMPLETION_CRITERIA = ['pass_install', 'first_transaction'] as const;
export type CompletionCriteria = (typeof COMPLETION_CRITERIA)[number];

/** What a workspace may set of its program. */
export interface ProgramFields {
  enabled: boolean;
  completion_criteria: CompletionCriteria;
  distribution_id: string | null;
  pending_expiry_days: number | null;
  max_referrals_per_referrer: number | null;
}

export interface Program extends ProgramFields {
  id: string;
  workspace_id: string;
  /** When it was last switched on and off; null where it never was. */
  enabled_at: Date | null;
  disabled_at: Date | null;
  date_created: Date;
  date_updated: Date;
}

export function newProgram(
  { id, workspaceId, now }: { id: string; workspaceId: string; now: Date },
  fields: ProgramFields,
): Program {
  const blank = { enabled_at: null, disabled_at: null, date_created: now, date_updated: now };
  return withSwitch({ id, workspace_id: workspaceId, ...fields, ...blank }, now);
}

/** The program after a write: what was not given is null (a PUT replaces). */
export function replaceProgram(program: Program, fields: ProgramFields, now: Date): Program {
  const next = { ...program, ...fields, date_updated: now };
  return fields.enabled === program.enabled ? next : withSwitch(next, now);
}

function withSwitch(program: Program, now: Date): Program {
  return program.enabled ? { ...program, enabled_at: now } : { ...program, disabled_at: now };
}

/**
 * Whether the program was on at a moment, as far as its last switches tell: what happened while it was
 * off does not count later, and what happened while it was on counts however late it is heard of.
 */
export function wasEnabledAt(program: Program, moment: Date): boolean {
  const { enabled, enabled_at: on, disabled_at: off } = program;
  if (!on || moment < on) return false;
  return enabled || (off !== null && moment < off);
}

/** Whether the program was off at a moment, as far as its last switches tell. */
export function wasDisabledAt(program: Program, moment: Date): boolean {
  const { enabled, enabled_at: on, disabled_at: off } = program;
  if (!off || moment < off) return false;
  return !enabled || (on !== null && moment < on);
}
