import type { AppActionType } from '@laurel/contract';
import type { Json, JsonObject } from '@laurel/errors';
import type { Action, FormField } from '../../../domain/mobile/mobile-app';
import { DURATION_DAYS_MAX } from './action-config';
import { amount, checked, Joi, moment, text, uuid } from './fields';

const NOTE_MAX = 500;
const TEXT_MAX = 10_000;
const LINES_MAX = 1_000;

export interface PointsData {
  points?: number;
  wallet_type_code?: string;
  note?: string;
}
export interface TransactionData {
  amount?: number;
  description?: string;
  currency?: string;
  transaction_timestamp?: string;
  location?: Json;
  subtotal_amount?: number;
  discount_amount?: number;
  line_items?: Json[];
  payment_info?: JsonObject;
  metadata?: JsonObject;
}
export interface RewardData {
  reward_id: string;
  metadata?: JsonObject;
}
export interface TierData {
  tier_id: string;
  duration_days?: number;
}

/** What was sent with an action: what its type takes, and what its own form asked besides. */
export interface ActionData {
  own: JsonObject;
  answers: JsonObject;
}

const free = () => Joi.object().unknown(true);
const points: Joi.PartialSchemaMap = {
  points: amount().greater(0),
  wallet_type_code: text(50, 1),
  note: text(NOTE_MAX),
};
const reward: Joi.PartialSchemaMap = { reward_id: uuid().required(), metadata: free() };

/** Part 2, Execute `data` by action type. */
const OWN: { [Type in AppActionType]: Joi.PartialSchemaMap } = {
  add_points: points,
  remove_points: points,
  add_transaction: {
    amount: amount().min(0),
    description: text(TEXT_MAX),
    currency: Joi.string()
      .pattern(/^[A-Za-z]{3}$/)
      .messages({ 'string.pattern.base': '{{#label}} must be a currency of three letters' }),
    transaction_timestamp: moment(),
    location: Joi.alternatives(text(NOTE_MAX), free()),
    subtotal_amount: amount().min(0),
    discount_amount: amount().min(0),
    line_items: Joi.array().items(Joi.any()).max(LINES_MAX),
    payment_info: free(),
    metadata: free(),
  },
  update_client_data: { fields: free() },
  redeem_reward: reward,
  grant_reward: reward,
  change_tier: {
    tier_id: uuid().required(),
    duration_days: Joi.number().integer().min(1).max(DURATION_DAYS_MAX),
  },
};

/** The form of what was sent, refused field by field (`data.points`, ...) where it is not right. */
export function checkedActionData(
  { action_type: type, form_fields: formFields }: Action,
  sent: unknown,
): ActionData {
  const own = OWN[type];
  const asked = formFields.filter(({ name }) => !Object.hasOwn(own, name));
  const required = type === 'update_client_data' ? [] : asked.filter((field) => isOwed(field));
  const form = Joi.object<JsonObject>({
    ...own,
    ...Object.fromEntries(asked.map((field) => [field.name, answerTo(field)])),
  }).fork(
    required.map(({ name }) => [name]),
    (schema) => schema.required(),
  );
  return sorted(type, checked('data', form, withDefaults(formFields, sent)));
}

/** The same of an action that was deleted since: what its own form had asked is taken as it is. */
export function formerActionData({ action_type: type }: Action, sent: unknown): ActionData {
  const form = Joi.object<JsonObject>(OWN[type]).unknown(true);
  return sorted(type, checked('data', form, sent));
}

function sorted(type: AppActionType, data: JsonObject): ActionData {
  const parts: ActionData = { own: {}, answers: {} };
  for (const [name, value] of Object.entries(data))
    (Object.hasOwn(OWN[type], name) ? parts.own : parts.answers)[name] = value;
  return parts;
}

/** A form field is answered unless it is optional or has an answer of its own. */
export function isOwed({ required, default_value: byDefault }: FormField): boolean {
  return required === true && (byDefault === undefined || byDefault === null);
}

function withDefaults(formFields: readonly FormField[], sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const defaults = formFields.flatMap(({ name, default_value: value }) =>
    value === undefined || value === null || Object.hasOwn(sent, name) ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(defaults), ...sent };
}

function answerTo({ type, required, options }: FormField): Joi.Schema {
  const schema = bareAnswer(type, options);
  return required ? schema : schema.allow(null, ...(type === 'checkbox' ? [] : ['']));
}

function bareAnswer(type: FormField['type'], options: unknown): Joi.Schema {
  if (type === 'number') return Joi.number();
  if (type === 'checkbox') return Joi.boolean();
  if (type === 'date') return moment();
  if (type === 'email') return Joi.string().max(255).email({ tlds: false });
  if (type === 'phone') return text(50, 1);
  const choices = type === 'select' && Array.isArray(options) ? options.flatMap(choiceOf) : [];
  return choices.length > 0 ? oneOf(choices) : text(TEXT_MAX, 1);
}

type Choice = string | number | boolean;

/** An option is a value, or a value with a label. What is neither cannot be chosen: no request is refused for it. */
function choiceOf(option: unknown): Choice[] {
  const { value, label } = (
    typeof option === 'object' && option !== null ? option : { value: option }
  ) as { value?: unknown; label?: unknown };
  return [value, label].filter(isChoice).slice(0, 1);
}

const isChoice = (value: unknown): value is Choice =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** A form sends what was chosen as text, whatever it is. */
function oneOf(choices: readonly Choice[]): Joi.Schema {
  return Joi.any().custom((sent: unknown, helpers) => {
    const chosen = choices.includes(sent as Choice)
      ? (sent as Choice)
      : choices.find((choice) => String(choice) === sent);
    return chosen === undefined ? helpers.error('any.only', { valids: choices }) : chosen;
  });
}
