import { CAMPAIGN_ACTION_TYPES } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import { momentNamed } from '@laurel/values/calendar';
import type { Client } from '../client';
import { isDate } from '../data-model';
import { nameOfStep, pathStep, type Scalar } from './criterion';
import type { ContactKeys } from './fields';
import { EPOCH, type Step } from './running-sum';

/** A filter counts no further. */
export const COUNT_MAX = 500;
/** So many of the newest moments of each kind of event are kept: one more tells that there are more. */
export const TIMES_MAX = COUNT_MAX + 1;

/** So many kinds of custom events are kept, those that happened last: a name of its own for each event fills no profile. */
export const CUSTOM_KINDS_MAX = 500;

/** What a client owns of one wallet type, in units, as of one entry of its log. */
export interface ProfileWallet {
  active: number;
  pending: number;
  earned: number;
  spent: number;
  sequence: number;
}

export interface ProfilePass {
  id: string;
  template_id: string;
  installed: boolean;
}

/** Where a move stands among all moves of its member. */
export interface TierPosition {
  revision: number;
  at: Date;
}

/**
 * Everything that segments ask about a client, in one document. Amounts are whole units. Someone who
 * was anonymized has none.
 */
export interface Profile {
  id: string;
  workspace_id: string;
  columns: Record<string, Scalar | null>;
  custom_fields: Record<string, unknown>;
  /** The custom fields that are dates, as moments. */
  custom_moments: Record<string, Date>;
  tier_id: string | null;
  /** The move that `tier_id` was learned from: an older one changes nothing. */
  tier_as_of: TierPosition;
  wallets: Record<string, ProfileWallet>;
  metrics: {
    transaction_count: number;
    total_spending: number;
    points_earned: number;
    referrals_completed: number;
    last_transaction_at: Date | null;
  };
  passes: ProfilePass[];
  /** When what happened, newest first, by `eventKey` and `categoryKey`. */
  times: Record<string, Date[]>;
  spent: Step[];
  earned: Step[];
  /** Counts the writes, so that none is made on a state that is no longer there. */
  revision: number;
}

/** The key of a kind of event, a step of a path. */
export function eventKey(category: string, type: string): string {
  return `${category} ${pathStep(type)}`;
}

/** The key of all events of a category. */
export function categoryKey(category: string): string {
  return category;
}

/** What campaigns note of what they did is no deed of the client, and neither is a refund. */
const NO_DEEDS = new Set([
  eventKey('transaction', 'refund'),
  ...CAMPAIGN_ACTION_TYPES.map((type) => eventKey('custom', `campaign_${type}`)),
]);

/** The newest of what a client did in some categories; null where nothing was done. */
export function newestEvent(
  times: Profile['times'],
  categories: readonly string[],
): { category: string; type: string; at: Date } | null {
  let newest: { category: string; type: string; at: Date } | null = null;
  for (const [key, [at]] of Object.entries(times)) {
    const space = key.indexOf(' ');
    const category = key.slice(0, space);
    if (space < 0 || at === undefined || !categories.includes(category)) continue;
    if (NO_DEEDS.has(key)) continue;
    if (newest === null || at > newest.at)
      newest = { category, type: nameOfStep(key.slice(space + 1)), at };
  }
  return newest;
}

/** Referrals that the client brought in and that were completed. */
export const REFERRED = eventKey('referral', 'completed as referrer');

/** The profile of a client to whom nothing has happened yet. */
export function newProfile(client: Client, contactKeys: ContactKeys): Profile {
  return {
    id: client.id,
    workspace_id: client.workspace_id,
    ...clientPart(client, contactKeys),
    tier_id: null,
    tier_as_of: { revision: 0, at: EPOCH },
    wallets: {},
    metrics: {
      transaction_count: 0,
      total_spending: 0,
      points_earned: 0,
      referrals_completed: 0,
      last_transaction_at: null,
    },
    passes: [],
    times: {},
    spent: [],
    earned: [],
    revision: 1,
  };
}

/** What a profile has from the record of its client. */
export function clientPart(
  { custom_fields: customFields, birth_date: birthDate, revision: _revision, ...columns }: Client,
  contactKeys: ContactKeys,
): Pick<Profile, 'columns' | 'custom_fields' | 'custom_moments'> {
  const fields = Object.entries(customFields).filter(([, value]) => value !== null);
  const dates = fields.filter(([, value]) => typeof value === 'string' && isDate(value));
  return {
    columns: {
      ...columns,
      email_key: contactKeys.email(columns.email),
      phone_key: contactKeys.phone(columns.phone),
      birth_date: birthDate !== null && isDate(birthDate) ? new Date(birthDate) : null,
      custom_fields: fields.length > 0 ? true : null,
    },
    custom_fields: Object.fromEntries(
      fields.map(([name, value]) => [pathStep(name), comparable(value)]),
    ),
    custom_moments: Object.fromEntries(
      dates.map(([name, value]) => [pathStep(name), momentNamed(String(value))]),
    ),
  };
}

/** Nothing compares with an object, so of one it is kept only that it is there. */
function comparable(value: Json): unknown {
  if (Array.isArray(value)) return value.filter((one) => typeof one !== 'object');
  return typeof value === 'object' ? {} : value;
}
