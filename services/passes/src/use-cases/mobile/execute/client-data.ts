import { bareFieldName } from '@laurel/contract';
import { invalidField, invalidPayload, type Json, type JsonObject } from '@laurel/errors';
import type { clients } from '@laurel/rpc';
import { isHidden, withoutHidden } from '../../../domain/mobile/hiding';
import type { ClientDataConfig } from '../schema/action-config';
import { isOwed } from '../schema/action-data';
import { checked, Joi, text } from '../schema/fields';
import {
  type Execute,
  type ExecuteDeps,
  type Foretell,
  missing,
  NOTHING_FORETOLD,
  SOURCE,
  speakingOf,
  type Task,
} from './task';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Columns of a client that staff may write. */
const COLUMNS: Joi.PartialSchemaMap = {
  first_name: text(255).allow(null),
  last_name: text(255).allow(null),
  email: Joi.string().max(255).email({ tlds: false }).allow(null),
  phone: text(50).allow(null),
  birth_date: Joi.string()
    .custom((value: string, helpers) => (isRealDay(value) ? value : helpers.error('day.invalid')))
    .messages({ 'day.invalid': '{{#label}} must be a date like 2026-01-31' })
    .allow(null),
  marketing_consent: Joi.boolean(),
  source: text(50).allow(null),
  loyalty_program_enabled: Joi.boolean(),
};

/** Columns that follow from something else, or that an app is no place for; as what the workspace hides from staff is. */
const OUT_OF_REACH = [
  'id',
  'workspace_id',
  'status',
  'marketing_consent_at',
  'marketing_consent_source',
  'marketing_consent_text',
  'registration_date',
  'date_created',
];

/** Writes fields of the client, of those that the action allows; the others are passed over. */
export const updateClientData: Execute = async (deps, task) => {
  const { fields, request } = await dataRequest(deps, task);
  const client = await speakingOf(asSent(fields), deps.clients.UpdateClient(request));
  return shown(task, client);
};

/** Moves no points: what matters of it is whether it would be refused. */
export const foretellUpdate: Foretell = async (deps, task) => {
  const { fields, request } = await dataRequest(deps, task);
  await speakingOf(asSent(fields), deps.clients.QuoteUpdate(request));
  return NOTHING_FORETOLD;
};

/** What the clients service is to be asked: fields that the action and the app may write, none of them missing. */
async function dataRequest(deps: Pick<ExecuteDeps, 'clients'>, task: Task) {
  const fields = fieldsOf(task);
  await requireAnswers(deps, task, fields);
  const { columns, customFields } = sorted(fields, task.config.hidden_fields);
  const request = {
    workspace_id: task.workspaceId,
    id: task.clientId,
    ...columns,
    ...(Object.keys(customFields).length === 0 ? {} : { custom_fields: customFields }),
    change_source: SOURCE,
  };
  return { fields, request };
}

/**
 * What was sent, whether named bare, under `custom_fields`, with `custom_fields.` in front or by the action's form, as far
 * as it is allowed: by bare names.
 */
function fieldsOf({ action, data, answers }: Task): JsonObject {
  const { allowed_fields: allowed } = action.action_config as ClientDataConfig;
  if (data.fields === undefined && Object.keys(answers).length === 0) throw missing('data.fields');
  const { custom_fields: nested, ...bare } = (data.fields ?? {}) as JsonObject;
  const sent = Object.fromEntries(
    Object.entries({ ...answers, ...bare, ...customFieldsOf(nested) }).map(
      ([name, value]) => [bareFieldName(name), value] as const,
    ),
  );
  // An empty list allows nothing, as one of roles or projects does.
  if (allowed === undefined) return sent;
  const names = new Set(allowed.map(bareFieldName));
  return Object.fromEntries(Object.entries(sent).filter(([name]) => names.has(name)));
}

function customFieldsOf(nested: Json = null): JsonObject {
  if (nested === null) return {};
  if (typeof nested === 'object' && !Array.isArray(nested)) return nested;
  const field = 'data.fields.custom_fields';
  throw invalidField(field, `${field} must be an object`);
}

function sorted(
  fields: JsonObject,
  hidden: readonly string[] | null,
): { columns: JsonObject; customFields: JsonObject } {
  const refused = Object.keys(fields).filter(
    // A dotted name would be a field of its own that only looks like a hidden one.
    (name) =>
      OUT_OF_REACH.includes(name) || isHidden(hidden, name) || name === '' || name.includes('.'),
  );
  if (refused.length > 0) {
    throw invalidPayload(
      refused.map((name) => ({
        field: `data.fields.${name}`,
        message: `${name} cannot be changed in the app`,
      })),
    );
  }
  const entries = Object.entries(fields);
  const isColumn = ([name]: [string, Json]) => Object.hasOwn(COLUMNS, name);
  const columns = Object.fromEntries(entries.filter(isColumn));
  const customFields = Object.fromEntries(entries.filter((entry) => !isColumn(entry)));
  const form = Joi.object<{ fields: JsonObject }>({ fields: Joi.object<JsonObject>(COLUMNS) });
  const { fields: checkedColumns } = checked('data', form, { fields: columns });
  return { columns: checkedColumns, customFields };
}

/** What the data model or the action's form calls required must not be left empty (part 3, section 3). */
async function requireAnswers(
  deps: Pick<ExecuteDeps, 'clients'>,
  task: Task,
  fields: JsonObject,
): Promise<void> {
  const isEmpty = (name: string) => fields[name] === undefined || isBlank(fields[name]);
  const owed = task.action.form_fields.find(
    (field) => isOwed(field) && isEmpty(bareFieldName(field.name)),
  );
  if (owed) throw missing(`data.fields.${owed.name}`);
  const emptied = Object.keys(fields).filter((name) => isBlank(fields[name]!));
  if (emptied.length === 0) return;
  const model = await deps.clients.ListFields({ workspace_id: task.workspaceId });
  const kept = model.fields.find(
    (field) => field.is_required && emptied.includes(field.field_name),
  );
  if (kept)
    throw invalidField(`data.fields.${kept.field_name}`, `${kept.field_label} must not be empty`);
}

function isBlank(value: Json): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The names under which the clients service speaks of what was sent here. */
function asSent(fields: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.keys(fields).flatMap((name) => [
      [name, `data.fields.${name}`],
      [`custom_fields.${name}`, `data.fields.${name}`],
    ]),
  );
}

function shown({ config }: Task, client: clients.Client): Json {
  return withoutHidden(config.hidden_fields, client) as unknown as JsonObject;
}

function isRealDay(value: string): boolean {
  if (!DAY.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
