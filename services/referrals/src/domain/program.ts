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

/** So many switches are remembered; of what was on before them nothing counts any more. */
const SWITCHES_MAX = 100;

interface Switch {
  at: Date;
  on: boolean;
}

export interface Program extends ProgramFields {
  id: string;
  workspace_id: string;
  /** When it was last switched on and off; null where it never was. */
  enabled_at: Date | null;
  disabled_at: Date | null;
  /** All that is remembered of that, in order; absent of programs from before it was. */
  switches?: Switch[];
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

const EVER = new Date(0);

/**
 * The program of a workspace that begins with it: on or off since ever, as it is now. What is remembered of its switches is
 * dated by another clock, that of a sandbox which may be a year ahead.
 */
export function sinceEver<P extends Omit<Program, 'id'>>(program: P): P {
  const { enabled: on } = program;
  return {
    ...program,
    enabled_at: on ? EVER : null,
    disabled_at: on ? null : EVER,
    switches: [{ at: EVER, on }],
  };
}

function withSwitch(program: Program, now: Date): Program {
  const { enabled: on } = program;
  const switches = [...switchesOf(program), { at: now, on }].slice(-SWITCHES_MAX);
  return { ...program, ...(on ? { enabled_at: now } : { disabled_at: now }), switches };
}

/** Every switch that is known, in order; where the release before switched it, it noted the last on and the last off alone. */
function switchesOf({ switches = [], enabled, enabled_at, disabled_at }: Program): Switch[] {
  const isKnown = (one: Switch) =>
    switches.some(({ at, on }) => on === one.on && at.getTime() === one.at.getTime());
  const on = { at: enabled_at, on: true };
  const off = { at: disabled_at, on: false };
  // Of two at one moment the one that holds is the last.
  const last = (enabled ? [off, on] : [on, off]).flatMap(({ at, ...rest }) =>
    at && !isKnown({ ...rest, at }) ? [{ ...rest, at }] : [],
  );
  return [...switches, ...last].sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** How the program stood at a moment; null before its first switch. */
function stateAt(program: Program, moment: Date): boolean | null {
  const all = switchesOf(program);
  const before = all.filter(({ at }) => at <= moment);
  if (before.length === 0) return null;
  return before.length === all.length ? program.enabled : before.at(-1)!.on;
}

/**
 * Whether the program was on at a moment, as far as its switches tell: what happened while it was
 * off does not count later, and what happened while it was on counts however late it is heard of.
 */
export const wasEnabledAt = (program: Program, moment: Date): boolean =>
  stateAt(program, moment) === true;

/** Whether the program was off at a moment, as far as its switches tell. */
export const wasDisabledAt = (program: Program, moment: Date): boolean =>
  stateAt(program, moment) === false;
