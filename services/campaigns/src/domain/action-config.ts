import { type CampaignActionType, UUID_PATTERN } from '@laurel/contract';
import type { Json, JsonObject, Problem } from '@laurel/errors';
import type { ActionConfigs } from './action';

const MESSAGE_MAX = 2_000;
const REWARDS_MAX = 20;
const FIELDS_MAX = 100;
const FIELD_NAME_MAX = 100;
const DURATION_DAYS_MAX = 3_650;

/** The config as it is kept, or what is wrong with it, each with its path. */
export type ParsedConfig = { config: JsonObject; problems: [] } | { problems: Problem[] };

type Parser = (value: Json | undefined, field: string) => { value: Json } | { problems: Problem[] };

/**
 * Reads the action_config of a type (part 2, Campaign action). Unknown keys, missing ones and values
 * out of bounds are problems.
 */
export function parseConfig(type: CampaignActionType, given: Json | undefined): ParsedConfig {
  const root = 'action_config';
  if (!isObject(given)) return { problems: [problem(root, 'must be an object')] };
  const parsers: { [key: string]: Parser } = KEYS[type];
  const problems: Problem[] = Object.keys(given)
    .filter((key) => !Object.hasOwn(parsers, key))
    .map((key) => ({ field: `${root}.${key}`, message: `${root}.${key} is not a known field` }));
  const config: JsonObject = {};
  for (const [key, parse] of Object.entries(parsers)) {
    const parsed = parse(given[key], `${root}.${key}`);
    if ('problems' in parsed) problems.push(...parsed.problems);
    else config[key] = parsed.value;
  }
  return problems.length === 0 ? { config, problems: [] } : { problems };
}

const message: Parser = (value, field) => {
  if (typeof value !== 'string') return wrong(field, value, 'must be a string');
  if (value.trim() === '') return wrong(field, value, 'must not be empty');
  if (value.length > MESSAGE_MAX)
    return wrong(field, value, `must have at most ${MESSAGE_MAX} characters`);
  return { value };
};

const uuid: Parser = (value, field) =>
  typeof value === 'string' && UUID_PATTERN.test(value)
    ? { value: value.toLowerCase() }
    : wrong(field, value, 'must be a UUID');

const durationDays: Parser = (value = null, field) => {
  if (value === null) return { value };
  const fits = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= DURATION_DAYS_MAX;
  return fits
    ? { value }
    : wrong(field, value, `must be a whole number from 1 to ${DURATION_DAYS_MAX}, or null`);
};

const rewardIds: Parser = (value, field) => {
  if (!Array.isArray(value)) return wrong(field, value, 'must be an array of UUIDs');
  if (value.length === 0 || value.length > REWARDS_MAX)
    return wrong(field, value, `must name 1 to ${REWARDS_MAX} rewards`);
  const parsed = value.map((id, index) => uuid(id, `${field}.${index}`));
  const problems = parsed.flatMap((one) => ('problems' in one ? one.problems : []));
  if (problems.length > 0) return { problems };
  const ids = parsed.flatMap((one) => ('value' in one ? one.value : []));
  return new Set(ids).size === ids.length
    ? { value: ids }
    : wrong(field, value, 'must not name a reward twice');
};

const fieldUpdates: Parser = (value, field) => {
  if (!isObject(value)) return wrong(field, value, 'must be an object');
  const names = Object.keys(value);
  if (names.length === 0 || names.length > FIELDS_MAX)
    return wrong(field, value, `must name 1 to ${FIELDS_MAX} fields`);
  const tooLong = names.find((name) => name.length === 0 || name.length > FIELD_NAME_MAX);
  return tooLong === undefined
    ? { value }
    : wrong(field, value, `must have names of 1 to ${FIELD_NAME_MAX} characters`);
};

const KEYS: { [Type in CampaignActionType]: { [Key in keyof ActionConfigs[Type]]: Parser } } = {
  push_notification: { notification_message: message },
  template_switch: { target_template_id: uuid, duration_days: durationDays },
  custom_field_update: { custom_field_updates: fieldUpdates },
  give_reward: { reward_ids: rewardIds },
  assign_tier: { tier_id: uuid, duration_days: durationDays },
};

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(field: string, value: Json | undefined, complaint: string) {
  return { problems: [problem(field, value === undefined ? 'is required' : complaint)] };
}

function problem(field: string, complaint: string): Problem {
  return { field, message: `${field} ${complaint}` };
}
