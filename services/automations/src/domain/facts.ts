import type { JsonObject } from '@laurel/errors';
import { localTime } from '@laurel/values/calendar';
import { ageOn, dayNamed } from './days';
import type { Trigger } from './trigger';

const DAY_MS = 86_400_000;

export interface ClientFacts {
  id: string;
  workspace_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  birth_date: string | null;
  status: string;
  marketing_consent: boolean;
  marketing_consent_at: string | null;
  marketing_consent_source: string | null;
  marketing_consent_text: string | null;
  source: string | null;
  loyalty_program_enabled: boolean;
  registration_date: string;
  date_created: string;
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

/** Of a client who has nothing, and of a wallet type that is switched off. */
export const EMPTY_WALLET: WalletFacts = {
  active: 0,
  pending: 0,
  locked: 0,
  earned: 0,
  spent: 0,
  expired: 0,
};

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
  /** Codes of the wallet types that are switched off: nothing is in them. */
  inactiveWallets: readonly string[];
  /** null: the client is in no tier. Levels count from 1; `isAssigned` where somebody put the client there. */
  tier: { id: string; name: string; level: number; isAssigned: boolean } | null;
  metrics: MetricFacts;
  /** What rules before would have awarded over the same event, where somebody asks what would happen: in no record. */
  foreseen: readonly { walletTypeCode: string; amount: number }[];
  /** Rewards that they would have given, each as often as it would have been. */
  foreseenGifts: readonly string[];
  now: Date;
  /** IANA name of the zone that days and hours are read in: the workspace's, for a rule whose schedule has none of its own. */
  timeZone: string;
}

/**
 * Why no rule runs for a client, whatever it says; null where one may: of those who were anonymized nothing is known, and
 * a schedule serves active clients (part 3, section 16).
 */
export function whyNotFor({ client: { status } }: Facts, { type }: Trigger): string | null {
  if (status === 'anonymized') return 'the client is anonymized';
  return type === 'time_based' && status !== 'active' ? 'the client is not active' : null;
}

const TEXTS = [
  'id',
  'workspace_id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'source',
  'marketing_consent_source',
  'marketing_consent_text',
] as const satisfies readonly (keyof ClientFacts)[];

/** Whole days from one moment to another; negative when the second comes first. */
export function daysFrom(earlier: Date, later: Date): number {
  return Math.trunc((later.getTime() - earlier.getTime()) / DAY_MS);
}

/**
 * What formulas see under their variables. A text that is not there is empty, so that it can be
 * compared; a number that is not there is NaN, which no comparison holds for; members of
 * `custom_fields` and `metadata` that are not there are null. A wallet of a type that is switched off is empty, as for the
 * condition `wallet_balance`: a rule that names it was taken, and goes on.
 */
export function variablesOf(facts: Facts, happened: Trigger) {
  const { client, wallets, inactiveWallets, tier, metrics, now, timeZone } = facts;
  const born = dayNamed(client.birth_date ?? '');
  return {
    client: {
      ...texts(client, TEXTS),
      status: client.status,
      marketing_consent: client.marketing_consent,
      loyalty_program_enabled: client.loyalty_program_enabled,
      marketing_consent_at: momentOf(client.marketing_consent_at),
      registration_date: new Date(client.registration_date),
      date_created: new Date(client.date_created),
      custom_fields: client.custom_fields,
      age: born ? ageOn(localTime(now, timeZone), born) : Number.NaN,
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
    wallet: { ...emptyWallets(inactiveWallets), ...wallets },
    tier: { id: tier?.id ?? '', name: tier?.name ?? '', level: tier?.level ?? 0 },
    metrics: {
      ...metrics,
      days_since_last_transaction: metrics.days_since_last_transaction ?? Number.NaN,
    },
    now,
    /** No variable of formulas: what their functions on days go by. */
    timeZone,
  };
}

const emptyWallets = (codes: readonly string[]): Record<string, WalletFacts> =>
  Object.fromEntries(codes.map((code) => [code, EMPTY_WALLET]));

function momentOf(timestamp: string | null): Date | null {
  return timestamp === null ? null : new Date(timestamp);
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
