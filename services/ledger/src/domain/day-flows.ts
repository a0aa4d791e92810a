import type { PointFlow } from '@laurel/contract';
import { total, type Units, ZERO } from '@laurel/values/amount';
import type { EntryType } from './types';

/** What entries of one kind moved in a day, in stored units. */
export interface FlowRow {
  _id: { code: string; type: EntryType; breaks: boolean; adds: boolean };
  /** Of active, pending and locked together. */
  moved: number;
  pending: number;
}

/** What a day did to all wallets of one type, which together may be beyond the range of an amount. `issued - used - expired` is the change of what is owed. */
export interface Flows {
  issued: Units;
  used: Units;
  expired: Units;
  /** By how much what is owed but not active yet changed. */
  pending: Units;
}

/** By wallet type code; those without movements are left out. */
export type DayFlows = Record<string, Flows>;

const NO_FLOWS: Flows = { issued: ZERO, used: ZERO, expired: ZERO, pending: ZERO };

/** Those of a wallet type; its code may be named like what every object has. */
export const flowsIn = (flows: DayFlows, code: string): Flows =>
  Object.hasOwn(flows, code) ? flows[code]! : NO_FLOWS;

/**
 * Sorts movements into what a shop asks: what it gave, what was spent, what lapsed. What is taken back counts against what
 * it takes back: a reversed earn against issued, a reversed spend against used. Corrections belong to what was issued, a
 * debt that is written off among them (`statement.ts`); what erased customers leave behind has expired, and transfers
 * within the workspace are none of the three.
 */
export function flowsOf(rows: readonly FlowRow[]): DayFlows {
  const flows: DayFlows = {};
  for (const { _id, moved, pending } of rows) {
    const known = flowsIn(flows, _id.code);
    flows[_id.code] = {
      ...known,
      ...moveTo(known, kindOf(_id), moved),
      pending: total(known.pending, pending),
    };
  }
  return flows;
}

export function addFlows(parts: readonly DayFlows[]): DayFlows {
  const sums: DayFlows = {};
  for (const part of parts)
    for (const [code, flows] of Object.entries(part)) {
      const known = flowsIn(sums, code);
      sums[code] = {
        issued: total(known.issued, flows.issued),
        used: total(known.used, flows.used),
        expired: total(known.expired, flows.expired),
        pending: total(known.pending, flows.pending),
      };
    }
  return sums;
}

function kindOf({ type, breaks, adds }: FlowRow['_id']): PointFlow | 'transfer' {
  if (type === 'expire' || (breaks && !adds)) return 'expired';
  if (type === 'transfer_in' || type === 'transfer_out') return 'transfer';
  // What reverses an entry adds where that one took.
  if (type === 'spend' || (type === 'cancel' && adds)) return 'used';
  return 'issued';
}

function moveTo(known: Flows, kind: PointFlow | 'transfer', moved: number): Partial<Flows> {
  if (kind === 'transfer') return {};
  if (kind === 'issued') return { issued: total(known.issued, moved) };
  return { [kind]: total(known[kind], -moved) };
}

/** What is owed after a day, from what was owed before it. */
export function owedAfter(owed: Units, { issued, used, expired }: Flows): Units {
  return total(owed, issued, -used, -expired);
}
