import { invalidField, type Json, type JsonObject, Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import type { passes as api, automations } from '@laurel/rpc';
import type { MobileDeps } from '../../../deps';
import type { Action, AppConfig } from '../../../domain/mobile/mobile-app';

/** What running an action needs, whichever type it is of. */
export type ExecuteDeps = Pick<MobileDeps, 'identity' | 'clients' | 'ledger' | 'tiers' | 'rewards'>;

/** One action, run on one pass of one client. */
export interface Task {
  workspaceId: string;
  config: AppConfig;
  action: Action;
  passId: string;
  clientId: string;
  /** What the type takes, and what the action's own form asked besides. */
  data: JsonObject;
  answers: JsonObject;
  /** When it happened, where a till tells of it later. */
  occurredAt: Date | null;
}

/** Runs a task and gives back what it came to, as the API shows that resource elsewhere. */
export type Execute = (deps: ExecuteDeps, task: Task) => Promise<Json>;

/** What a task would do itself, and what rules would hear of. */
export interface Foretold {
  effects: api.QuotedEffect[];
  told: Pick<automations.SimulateRequest, 'event' | 'also'> | null;
}

/** Tells what a task would come to, refused as running it would be; does nothing. */
export type Foretell = (deps: ExecuteDeps, task: Task) => Promise<Foretold>;

/** Rules do not hear of what changes data or tiers: it moves no points, and refused it is as running it would be. */
export const NOTHING_FORETOLD: Foretold = { effects: [], told: null };

/** An event of loyalty, as rules see it. */
export function loyaltyEvent(
  task: Task,
  { event_type, ...known }: { event_type: string; amount: number; metadata: JsonObject },
) {
  const metadata = { ...originOf(task), ...known.metadata };
  return { trigger_type: 'loyalty', event_type, amount: known.amount, metadata };
}

export const SOURCE = 'mobile';

/** Who did what on which pass: kept with whatever an action writes. */
export function originOf({ action, passId, answers, occurredAt }: Task): JsonObject {
  const { actor } = currentContext();
  return {
    ...answers,
    mobile_app_action_id: action.id,
    mobile_app_user_id: actor.type === 'mobile' ? actor.id : null,
    pass_id: passId,
    ...(occurredAt ? { occurred_at: occurredAt.toISOString() } : {}),
  };
}

/**
 * Does something in another service, whose refusals then speak of the fields of this request: a name that is not
 * translated is left as it is.
 */
export async function speakingOf<T>(
  fields: Readonly<Record<string, string>>,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const problems = error.problems.map(({ field, ...problem }) =>
      field === undefined ? problem : { ...problem, field: fields[field] ?? field },
    );
    throw new Refusal(error, problems, error.retryAfterSeconds);
  }
}

export function missing(field: string): Refusal {
  return invalidField(field, `${field} is required`);
}
