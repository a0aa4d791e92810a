import { DEFAULT_EXCHANGE } from '../broker/broker';
import { catalogue, type EventDefinition } from '../catalogue';
import { dataSchema } from './schema';

type Json = Record<string, unknown>;

/** docs/asyncapi.json: the events as an AsyncAPI 3.0 document, from the catalogue. */
export function renderAsyncApi(version = '0.1.0'): Json {
  const events = catalogue.map((definition) => ({
    definition,
    name: componentName(definition.type),
  }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Laurel events',
      version,
      description:
        'Domain events, published as CloudEvents 1.0 (structured JSON). Delivery is at least once.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/cloudevents+json',
    channels: Object.fromEntries(
      events.map(({ definition, name }) => [name, channel(definition, name)]),
    ),
    operations: Object.fromEntries(
      events.map(({ definition, name }) => [`receive.${name}`, operation(definition, name)]),
    ),
    components: {
      messages: Object.fromEntries(
        events.map(({ definition, name }) => [name, message(definition, name)]),
      ),
      schemas: {
        Envelope: ENVELOPE,
        ...Object.fromEntries(events.map(({ definition, name }) => [name, dataSchema(definition)])),
      },
    },
  };
}

const text = { type: 'string' };
const ENVELOPE = {
  type: 'object',
  required: [
    'specversion',
    'id',
    'source',
    'type',
    'subject',
    'time',
    'datacontenttype',
    'dataversion',
    'correlationid',
    'requestid',
    'depth',
    'actortype',
    'data',
  ],
  properties: {
    specversion: { const: '1.0' },
    id: { type: 'string', format: 'uuid', description: 'Handle each id once.' },
    source: { type: 'string', description: '/laurel/<service>' },
    type: text,
    subject: { type: 'string', description: 'The client it is about, or else the main id.' },
    time: { type: 'string', format: 'date-time' },
    datacontenttype: { const: 'application/json' },
    dataversion: { type: 'integer', minimum: 1 },
    workspaceid: { type: 'string', format: 'uuid' },
    correlationid: text,
    causationid: { type: 'string', description: 'Id of the event whose handling caused this one.' },
    requestid: text,
    chain: {
      type: 'string',
      description: 'Ids of automation rules that led here, separated by commas.',
    },
    depth: { type: 'integer', minimum: 0 },
    actortype: { enum: ['user', 'token', 'mobile', 'client', 'system'] },
    actorid: text,
    traceparent: text,
    data: { type: 'object' },
  },
};

/** Names of components may hold letters, digits, dot, dash and underscore only. */
function componentName(type: string): string {
  return type.replace('*', 'any');
}

function channel({ type, description }: EventDefinition, name: string): Json {
  return {
    address: type.replace('*', '{event_type}'),
    description,
    ...(type.endsWith('*')
      ? { parameters: { event_type: { description: 'Free, 1 to 100 characters.' } } }
      : {}),
    messages: { [name]: { $ref: `#/components/messages/${name}` } },
    bindings: {
      amqp: {
        is: 'routingKey',
        exchange: { name: DEFAULT_EXCHANGE, type: 'topic', durable: true },
      },
    },
  };
}

function operation({ description }: EventDefinition, name: string): Json {
  return { action: 'receive', summary: description, channel: { $ref: `#/channels/${name}` } };
}

function message(definition: EventDefinition, name: string): Json {
  const { type, description, webhook, version } = definition;
  return {
    name: type,
    summary: description,
    contentType: 'application/cloudevents+json',
    'x-webhook': webhook,
    payload: {
      allOf: [
        { $ref: '#/components/schemas/Envelope' },
        {
          type: 'object',
          properties: {
            ...(type.endsWith('*') ? {} : { type: { const: type } }),
            dataversion: { const: version },
            data: { $ref: `#/components/schemas/${name}` },
          },
        },
      ],
    },
    examples: [{ name: 'example', payload: exampleOf(definition) }],
  };
}

const EVENT = '0198f3a0-0000-7000-8000-00000000000e';
const WORKSPACE = '0198f3a0-0000-7000-8000-000000000001';

/** The whole message, as it comes over the broker; its subject is the client it is about, where it is about one. */
function exampleOf({ type, source, version, example }: EventDefinition): Json {
  const { client_id } = example as { client_id?: unknown };
  return {
    specversion: '1.0',
    id: EVENT,
    source: `/laurel/${source}`,
    type: type.replace('*', 'quiz_answered'),
    subject: typeof client_id === 'string' ? client_id : WORKSPACE,
    time: '2026-01-31T10:00:00.000Z',
    datacontenttype: 'application/json',
    dataversion: version,
    workspaceid: WORKSPACE,
    correlationid: EVENT,
    requestid: '0198f3a0-0000-7000-8000-00000000000f',
    depth: 0,
    actortype: 'system',
    data: example,
  };
}
