import type { JsonObject } from '@laurel/errors';
import type { Trigger } from './trigger';

const DAY_MS = 86_400_000;

export interface ClientFacts {
  id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  birth_date: string | null;
  status: string;
  marketing_consent: boolean;
  source: string | null;
  loyalty_program_enabled: boolean;
  registration_date: string;
  custom_fields: JsonObject;
}

export interface WalletFacts {
  active: number;
  pending: number;
  locked: number;
  earned: number;
  spent: number;
  expired: number;
}

export interface MetricFacts {
  transaction_count: number;
  total_spending: number;
  points_earned: number;
  referrals_completed: number;
  /** null for a client who never bought. */
  days_since_last_transaction: number | null;
}

/** All that a rule may know about the client when it decides. */
export interface Facts {
  client: ClientFacts;
  /** By wallet type code; every active type of the workspace is there. */
  wallets: Record<string, WalletFacts>;
  /** null: the client is in no tier. Levels count from 1. */
  tier: { id: string; name: string; level: number } | null;
  metrics: MetricFacts;
  now: Date;
}

/** A birthday's age at a moment, in whole years. */
export function ageAt(birthDate: string | null, now: Date): number | null {
  const born = birthDate === null ? null : dayOf(birthDate);
  if (!born) return null;
  const today = [now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate()] as const;
  const hadBirthday = today[1] > born[1] || (today[1] === born[1] && today[2] >= born[2]);
  return today[0] - born[0] - (hadBirthday ? 0 : 1);
}

/** Whether a moment is the anniversary of a day; those of 29 February fall on the 28th in common years. */
export function isBirthdayAt(date: string, now: Date): boolean {
  const born = dayOf(date);
  if (!born) return false;
  const [month, day] = [now.getUTCMonth() + 1, now.getUTCDate()];
  if (born[1] === 2 && born[2] === 29 && !isLeap(now.getUTCFullYear()))
    return month === 2 && day === 28;
  return born[1] === month && born[2] === day;
}

/** Whole days from one moment to another; negative when the second comes first. */
export function daysFrom(earlier: Date, later: Date): number {
  return Math.trunc((later.getTime() - earlier.getTime()) / DAY_MS);
}

function dayOf(text: string): readonly [year: number, month: number, day: number] | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  return year === undefined ? null : [Number(year), Number(month), Number(day)];
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/**
 * What formulas see under their variables. A text that is not there is empty, so that it can be
 * compared; a number that is not there is NaN, which no comparison holds for; members of
 * `custom_fields` and `metadata` may be null.
 */
export function variablesOf({ client, wallets, tier, metrics, now }: Facts, happened: Trigger) {
  return {
    client: {
      ...texts(client, ['id', 'first_name', 'last_name', 'email', 'phone', 'birth_date', 'source']),
      status: client.status,
      marketing_consent: client.marketing_consent,
      loyalty_program_enabled: client.loyalty_program_enabled,
      registration_date: new Date(client.registration_date),
      custom_fields: client.custom_fields,
      age: ageAt(client.birth_date, now) ?? Number.NaN,
      days_since_registration: daysFrom(new Date(client.registration_date), now),
    },
    event: {
      id: happened.eventId,
      event_category: happened.eventCategory,
      event_type: happened.eventType,
      event_timestamp: happened.at,
      pass_id: happened.passId ?? '',
      amount: happened.amount ?? Number.NaN,
      currency: happened.currency ?? '',
      field_name: happened.fieldName ?? '',
      old_value: happened.oldValue ?? '',
      new_value: happened.newValue ?? '',
      role: happened.role ?? '',
      source: happened.source ?? '',
      external_id: happened.externalId ?? '',
      metadata: happened.metadata,
    },
    wallet: wallets,
    tier: { id: tier?.id ?? '', name: tier?.name ?? '', level: tier?.level ?? 0 },
    metrics: {
      ...metrics,
      days_since_last_transaction: metrics.days_since_last_transaction ?? Number.NaN,
    },
    now,
  };
}

export type Variables = ReturnType<typeof variablesOf>;

function texts<const Name extends keyof ClientFacts>(
  client: ClientFacts,
  names: readonly Name[],
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, client[name] ?? ''])) as Record<
    Name,
    string
  >;
}
