import { POSTED_EVENT_TYPES } from '@laurel/contract';
import { catalogue, dataSchema, webhookName } from '@laurel/events';
import { type Gathered, pascalCase } from '@laurel/json-schema';
import { reference } from './parts';

type Json = Record<string, unknown>;
type EventDefinition = (typeof catalogue)[number];

const TIME = '2026-01-31T10:00:00.000Z';
const WORKSPACE = '0198f3a0-0000-7000-8000-000000000001';

/** Headers of Standard Webhooks: who checks them knows that the call is ours and new. */
const HEADERS: Json[] = [
  ['webhook-id', 'Names the delivery; the same in every try of it.', { type: 'string' }],
  ['webhook-timestamp', 'Seconds since 1970 when this try was sent.', { type: 'integer' }],
  [
    'webhook-signature',
    '`v1,` and the signature, for each secret that is valid.',
    { type: 'string' },
  ],
].map(([name, description, schema]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
}));

/** What a workspace's webhooks are sent, one entry per name, from the catalogue of events. */
export function webhooksOf(gathered: Gathered): Record<string, Json> {
  const webhooks: Record<string, Json> = {};
  for (const definition of catalogue) {
    const { webhook } = definition;
    if (webhook !== null && !webhooks[webhook])
      webhooks[webhook] = { post: operationOf(webhook, definition, gathered) };
  }
  return webhooks;
}

function operationOf(webhook: string, definition: EventDefinition, gathered: Gathered): Json {
  const name = `${pascalCase(definition.type.replace('*', 'any'))}Event`;
  gathered.components[name] = dataSchema(definition);
  const type = typeOf(webhook, definition);
  const payload = {
    type: 'object',
    required: ['type', 'timestamp', 'workspace_id', 'data'],
    properties: {
      type: type.schema,
      timestamp: { type: 'string', format: 'date-time' },
      workspace_id: { type: 'string', format: 'uuid' },
      data: reference('schemas', name),
    },
  };
  const example = {
    type: type.example,
    timestamp: TIME,
    workspace_id: WORKSPACE,
    data: definition.example,
  };
  return {
    operationId: `on.${webhook.replace('*', 'any').replace(/[._](\w)/g, (_, first) => first.toUpperCase())}`,
    tags: ['Webhooks'],
    summary: definition.description.replace(/\.$/, ''),
    description: definition.description,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: payload, example } },
    },
    responses: {
      '2XX': { description: 'Taken. Anything else is tried again.' },
      410: { description: 'Gone: the webhook is switched off.' },
    },
  };
}

/** What `type` says of a name that ends in `*`: what is passed on under our names has theirs, custom events have any. */
function typeOf(webhook: string, { type }: EventDefinition): { schema: Json; example: string } {
  if (!webhook.endsWith('*'))
    return { schema: { type: 'string', const: webhook }, example: webhook };
  if (type === webhook) {
    const [category] = webhook.split('.');
    const schema = { type: 'string', pattern: `^${category}\\.` };
    return { schema, example: `${category}.quiz_answered` };
  }
  const names = POSTED_EVENT_TYPES.loyalty.map((kind) => webhookName(type.replace('*', kind))!);
  return {
    schema: { type: 'string', enum: names },
    example: webhookName('posted_loyalty.points_earned')!,
  };
}
