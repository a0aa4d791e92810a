import type { TriggerType } from '@laurel/contract';
import type { Deps } from '../deps';
import type { Rule } from '../domain/rule';
import type { TriggeringEvent } from '../store/triggering-events';
import { fireRules, rulesAskingFor, type Unmet, type Wanted } from './fire-rules';
import { triggersOf } from './triggers-of';

/** What passes names as the source of what it records for the staff app. */
const TILL = 'mobile';

/** The active rules of a workspace that a kind of trigger may fire. */
export type ListActive = (workspaceId: string, type: TriggerType) => Promise<Rule[]>;

/** What of an event any rule asks for. */
export async function wantedOf(event: TriggeringEvent, listActive: ListActive): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  for (const happened of triggersOf(event)) {
    const active = await listActive(event.workspaceid, happened.type);
    const rules = rulesAskingFor(active, happened);
    if (rules.length > 0) wanted.push({ happened, rules });
  }
  return wanted;
}

/**
 * Lets rules run over what they ask for. What has run is known by its execution, which is made from the event: repeating
 * it repeats nothing.
 */
export async function fireWanted(
  deps: Deps,
  wanted: readonly Wanted[],
  unmet: Unmet,
): Promise<void> {
  for (const each of wanted) await fireRules(deps, each, unmet);
}

/** At a till a customer waits to hear what a purchase earned: that it earned nothing, too (docs/adr/0036). */
export async function noteConsidered(
  { consideredEvents, clock }: Pick<Deps, 'consideredEvents' | 'clock'>,
  { type, workspaceid, data }: TriggeringEvent,
): Promise<void> {
  if (type !== 'transaction.purchase' && type !== 'transaction.refund') return;
  if (data.source === TILL) await consideredEvents.add(workspaceid, data.id, clock.now());
}
