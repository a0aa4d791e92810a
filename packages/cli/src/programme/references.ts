import { UsageError } from '../failures';
import { isId } from '../ids';
import type { Body, KindName } from './kinds';

/** `x_id` of the API is `x: <key>` in a file. Lists keep their names. */
const BY_ID: Readonly<Record<string, KindName>> = {
  tier_id: 'tiers',
  segment_id: 'segments',
  reward_id: 'rewards',
  webhook_id: 'webhooks',
  wallet_type_id: 'wallet_types',
  project_id: 'projects',
  pass_template_id: 'pass_templates',
  template_id: 'pass_templates',
  target_template_id: 'pass_templates',
  distribution_id: 'distributions',
};
const LISTS: Readonly<Record<string, KindName>> = {
  visibility_tiers: 'tiers',
  visibility_segments: 'segments',
  tier_ids: 'tiers',
  reward_ids: 'rewards',
};
const CODE = 'wallet_type_code';
const inFile = (name: string): string => name.replace(/_(id|code)$/, '');
const inApi = new Map(Object.keys(BY_ID).map((name) => [inFile(name), name]));

/** Keys by id, and ids by key, of what is there. */
export interface Names {
  keyOf(kind: KindName, id: string): string | undefined;
  idOf(kind: KindName, key: string): string | undefined;
}

/** What the API says, as a file says it. An id that no file knows stays an id. */
export function toFile(value: unknown, names: Pick<Names, 'keyOf'>): unknown {
  if (Array.isArray(value)) return value.map((one) => toFile(one, names));
  if (!isBody(value)) return value;
  const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const kind = BY_ID[name];
    if (name === CODE) return [inFile(name), inner];
    if (kind && typeof inner === 'string') {
      const key = names.keyOf(kind, inner);
      return key === undefined ? [name, inner] : [inFile(name), key];
    }
    const of = LISTS[name];
    if (of && Array.isArray(inner))
      return [name, inner.map((id) => names.keyOf(of, String(id)) ?? id)];
    return [name, toFile(inner, names)];
  });
  return Object.fromEntries(members);
}

/**
 * What a file says, as the API takes it. `where` hears of a key that nothing bears.
 *
 * @param codeNames the wallet type is named by its code, as everywhere but in rewards
 */
export function toApi(
  value: unknown,
  names: Pick<Names, 'idOf'>,
  { where, isReward = false }: { where: string; isReward?: boolean },
): unknown {
  const of = { where, isReward };
  if (Array.isArray(value)) return value.map((one) => toApi(one, names, of));
  if (!isBody(value)) return value;
  const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (name === 'wallet_type' && !isReward) return [CODE, inner];
    const list = LISTS[name];
    if (list && Array.isArray(inner))
      return [name, inner.map((key) => named(names, { kind: list, key: String(key), where }))];
    const api = inApi.get(name);
    if (!api || typeof inner !== 'string') return [name, toApi(inner, names, of)];
    return [api, named(names, { kind: BY_ID[api]!, key: inner, where })];
  });
  return Object.fromEntries(members);
}

/** The keys that a file refers to, as `kind/key`. */
export function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isBody(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'wallet_type' && typeof inner === 'string') return [`wallet_types/${inner}`];
    const list = LISTS[name];
    if (list && Array.isArray(inner))
      return inner.filter((key) => !isFree(String(key))).map((key) => `${list}/${key}`);
    const api = inApi.get(name);
    if (api && typeof inner === 'string') return [`${BY_ID[api]}/${inner}`];
    return referencesIn(inner);
  });
}

/** Those of them that nothing bears yet. */
export const missingIn = (value: unknown, names: Pick<Names, 'idOf'>): string[] =>
  referencesIn(value).filter((reference) => {
    const [kind, key] = reference.split('/') as [KindName, string];
    return names.idOf(kind, key) === undefined;
  });

/** An id names itself, and a segment may ask for who has no tier. */
const isFree = (key: string): boolean => isId(key) || key === 'untiered';

/** A key in a file, of what it is one, and where it stands. */
interface Mention {
  kind: KindName;
  key: string;
  where: string;
}

function named(names: Pick<Names, 'idOf'>, { kind, key, where }: Mention): string {
  if (isFree(key)) return key;
  const id = names.idOf(kind, key);
  if (id === undefined) throw new UsageError(`${where}: there is no ${kind}/${key}`);
  return id;
}

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
