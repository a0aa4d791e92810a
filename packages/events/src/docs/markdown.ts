import { DEFAULT_EXCHANGE } from '../broker/broker';
import { catalogue, type EventDefinition } from '../catalogue';
import { dataSchema, type JsonSchema } from './schema';

/** docs/events.md: every event of the platform, from the catalogue. */
export function renderEventsMarkdown(): string {
  const sections = groupBySource().map(([source, definitions]) =>
    [`## ${source}`, ...definitions.map(renderEvent)].join('\n\n'),
  );
  return `${[INTRODUCTION, renderTable(), ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `# Events

Generated from \`packages/events/src/catalogue\` by \`npm run docs\`; do not edit.

Events are CloudEvents 1.0 in JSON on the durable topic exchange \`${DEFAULT_EXCHANGE}\`; the routing key is the \`type\`.
Extensions: \`workspaceid\`, \`correlationid\`, \`causationid\` (the event that caused this one), \`requestid\`, \`chain\`
(automation rules that led here), \`depth\`, \`actortype\`, \`actorid\`, \`traceparent\`, \`dataversion\`.
Delivery is at least once and in no promised order: handle each \`id\` once. Data grows by new members only; ignore those you
do not know. Webhooks carry the events that have a webhook name, as \`{ type, timestamp, data, workspace_id }\`.`;

function renderTable(): string {
  const rows = catalogue.map(
    ({ type, webhook, version, description }) =>
      `| \`${type}\` | ${webhook === null ? '-' : `\`${webhook}\``} | ${version} | ${description} |`,
  );
  return ['| Type | Webhook | Version | What happened |', '|---|---|---|---|', ...rows].join('\n');
}

function groupBySource(): [string, EventDefinition[]][] {
  const groups = new Map<string, EventDefinition[]>();
  for (const definition of catalogue) {
    groups.set(definition.source, [...(groups.get(definition.source) ?? []), definition]);
  }
  return [...groups];
}

function renderEvent(definition: EventDefinition): string {
  const { type, description, example } = definition;
  return [
    `### ${type}`,
    description,
    renderFields(dataSchema(definition)),
    `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  ].join('\n\n');
}

function renderFields(schema: JsonSchema): string {
  const rows = fieldsOf(schema, '').map(
    ({ path, type, required }) => `| \`${path}\` | ${type} | ${required ? 'yes' : 'no'} |`,
  );
  return ['| Field | Type | Always there |', '|---|---|---|', ...rows].join('\n');
}

interface Field {
  path: string;
  type: string;
  required: boolean;
}

function fieldsOf(schema: JsonSchema, prefix: string): Field[] {
  const properties = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  return properties.flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const field = {
      path,
      type: typeOf(property),
      required: schema.required?.includes(name) ?? false,
    };
    return [
      field,
      ...fieldsOf(property, `${path}.`),
      ...fieldsOf(property.items ?? {}, `${path}[].`),
    ];
  });
}

function typeOf({ type, const: only, enum: values, anyOf }: JsonSchema): string {
  if (only !== undefined) return `\`${only}\``;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(anyOf)) return anyOf.map((option: JsonSchema) => typeOf(option)).join(' or ');
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
}
