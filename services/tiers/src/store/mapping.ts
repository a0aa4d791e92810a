import type { ClientSnapshot } from '@laurel/events';
import { searchTextOf } from '@laurel/mongo';
import { type Units, unitsOf } from '@laurel/values/amount';
import type { Activity, DayTally, Tally } from '../domain/activity';
import {
  type HeldTier,
  type Introduction,
  isEligible,
  type Member,
  type Said,
} from '../domain/member';

interface TallyColumns {
  /** Whole units of 1/10 000, by wallet type code. */
  earned: Record<string, number>;
  spending: number;
  transactions: number;
}

export interface MemberDocument {
  /** The client's id. */
  _id: string;
  workspace_id: string;
  revision: number;
  state: Member['state'];
  merged_into: string | null;
  anonymized: boolean;
  profile_as_of: string | null;
  /** How often the client had been written by then; null where that was not said, absent in rows of earlier releases. */
  profile_revision?: number | null;
  standing_as_of: string | null;
  standing_revision?: number | null;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  custom_fields: string[];
  enabled: boolean;
  status: string;
  lifetime: TallyColumns;
  days: (TallyColumns & { day: string })[];
  assignment: { tier_id: string; assigned_at: Date; expires_at: Date | null } | null;
  tier: HeldTier | null;
  /** There only where rules alone led to the tier or gave the assignment; of rows of earlier releases it is not known. */
  given_by?: { chain: string[]; depth: number };
  promoted_at: Date | null;
  lapsed: boolean;
  template_ids: string[];
  /** What lists are searched by; absent on those no list shows. */
  group?: string;
  search_text?: string;
  eligible?: true;
  /** There only while somebody has to look at it: what the partial indexes are made of. */
  due_at?: Date;
  ends_at?: Date;
}

export const UNTIERED = 'untiered';
export const LOYALTY_DISABLED = 'loyalty_disabled';

export function toDocument(member: Member): MemberDocument {
  const { profile, assignment, dueAt, givenBy } = member;
  const expiresAt = assignment?.expiresAt ?? null;
  return {
    _id: member.id,
    workspace_id: member.workspaceId,
    revision: member.revision,
    state: member.state,
    merged_into: member.mergedInto,
    anonymized: member.anonymized,
    profile_as_of: member.profileAsOf?.at ?? null,
    profile_revision: member.profileAsOf?.revision ?? null,
    standing_as_of: member.standingAsOf?.at ?? null,
    standing_revision: member.standingAsOf?.revision ?? null,
    first_name: profile.firstName,
    last_name: profile.lastName,
    email: profile.email,
    custom_fields: profile.customFields,
    enabled: member.enabled,
    status: member.status,
    lifetime: member.activity.lifetime,
    days: [...member.activity.days],
    assignment: assignment && {
      tier_id: assignment.tierId,
      assigned_at: assignment.assignedAt,
      expires_at: expiresAt,
    },
    tier: member.tier,
    promoted_at: member.promotedAt,
    lapsed: member.lapsed,
    template_ids: member.templateIds,
    ...(isListed(member) ? listColumns(member) : {}),
    ...(isEligible(member) ? { eligible: true as const } : {}),
    ...(givenBy ? { given_by: { ...givenBy, chain: [...givenBy.chain] } } : {}),
    ...(dueAt ? { due_at: dueAt } : {}),
    ...(expiresAt ? { ends_at: expiresAt } : {}),
  };
}

const saidAt = (at: string | null, revision: number | null = null): Said | null =>
  at === null ? null : { at, revision };

/** Tombstones and clients that are not introduced yet are in no list. */
function isListed({ state, profileAsOf, anonymized }: Member): boolean {
  return state === 'alive' && (profileAsOf !== null || anonymized);
}

function listColumns({ profile, enabled, tier }: Member): { group: string; search_text: string } {
  const { firstName, lastName, email } = profile;
  const names = [firstName, lastName].filter((name) => name !== null).join(' ');
  return {
    group: enabled ? (tier?.id ?? UNTIERED) : LOYALTY_DISABLED,
    search_text: searchTextOf(`${names}\n${email ?? ''}`),
  };
}

export function fromDocument(document: MemberDocument): Member {
  const { assignment } = document;
  return {
    id: document._id,
    workspaceId: document.workspace_id,
    revision: document.revision,
    state: document.state,
    mergedInto: document.merged_into,
    anonymized: document.anonymized,
    profileAsOf: saidAt(document.profile_as_of, document.profile_revision),
    profile: {
      firstName: document.first_name,
      lastName: document.last_name,
      email: document.email,
      customFields: document.custom_fields,
    },
    standingAsOf: saidAt(document.standing_as_of, document.standing_revision),
    enabled: document.enabled,
    status: document.status,
    activity: activityOf(document),
    assignment: assignment && {
      tierId: assignment.tier_id,
      assignedAt: assignment.assigned_at,
      expiresAt: assignment.expires_at,
    },
    tier: document.tier,
    givenBy: document.given_by ?? null,
    promotedAt: document.promoted_at,
    lapsed: document.lapsed,
    dueAt: document.due_at ?? null,
    templateIds: document.template_ids,
  };
}

export function activityOf({
  lifetime,
  days,
}: Pick<MemberDocument, 'lifetime' | 'days'>): Activity {
  return {
    lifetime: tallyOf(lifetime),
    days: days.map((one): DayTally => ({ day: one.day, ...tallyOf(one) })),
  };
}

function tallyOf({ earned, spending, transactions }: TallyColumns): Tally {
  const units = Object.entries(earned).map(([code, points]): [string, Units] => [
    code,
    unitsOf(points),
  ]);
  return { earned: Object.fromEntries(units), spending: unitsOf(spending), transactions };
}

/** A client as events tell of them, said as tiers know them: as of the position of what tells. */
export function introductionOf(client: ClientSnapshot, asOf: Said): Introduction {
  return {
    profile: {
      firstName: client.first_name,
      lastName: client.last_name,
      email: client.email,
      customFields: customFieldKeys(client.custom_fields),
    },
    standing: { enabled: client.loyalty_program_enabled, status: client.status },
    asOf,
  };
}

const VALUE_LENGTH_MAX = 300;

/** How a custom field's value is kept for filters; a very long one by its beginning. */
export function customFieldKey(name: string, value: unknown): string {
  return `${name}=${String(value).slice(0, VALUE_LENGTH_MAX)}`;
}

/** All values of the custom fields by which a client can be found; of a list, each of its members. */
function customFieldKeys(fields: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
      .map((one) => customFieldKey(name, one)),
  );
  return [...new Set(keys)];
}
