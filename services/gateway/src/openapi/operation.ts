import { type Gathered, type JsonSchema, pascalCase, toJsonSchema } from '@laurel/json-schema';
import { type Route, takesKey } from '../routing';
import { EXAMPLES, examplesOf } from './examples';
import { groupOf, operationIdOf, SPOKEN_BY_PHONES } from './names';
import { reference } from './parts';
import { refusalsOf } from './responses';

type Json = Record<string, unknown>;

const SECURITY: Record<Route['stack']['name'], Json[]> = {
  open: [],
  member: [{ bearer: [] }],
  mobile: [{ mobile: [] }],
  portal: [{ portal: [] }],
  embed: [],
  page: [{ page: [] }],
};

/** A file and what goes with it. */
const FORM: Json = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
};

/** An operation of the document, from the row that serves it. */
export function operationOf(route: Route, gathered: Gathered): Json {
  const operationId = operationIdOf(route);
  const name = pascalCase(operationId);
  const success = String(route.status ?? 200);
  return {
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    operationId,
    security: securityOf(route),
    ...(SPOKEN_BY_PHONES.has(groupOf(route.tag)) ? { 'x-internal': true } : {}),
    ...paginationOf(route),
    parameters: [
      ...pathParameters(route, gathered),
      ...queryParameters(route, gathered),
      ...(takesKey(route) ? [reference('parameters', 'IdempotencyKey')] : []),
      ...(takesCondition(route) ? [reference('parameters', 'IfMatch')] : []),
    ],
    ...requestBodyOf(route, name, gathered),
    responses: {
      [success]: successOf(route, name, gathered),
      ...alsoAnswered(route, name, gathered),
      ...refusalsOf(route),
    },
  };
}

/** The credential that it takes; of a named token, with the scope that it wants. */
function securityOf({ stack, scope }: Route): Json[] {
  return stack.name === 'member' && scope ? [{ bearer: [scope] }] : SECURITY[stack.name];
}

/** How a list goes on, for a reader of all pages. */
function paginationOf({ query, isWhole }: Route): Json {
  const { keys = {} } = (query?.describe() ?? {}) as { keys?: Record<string, { flags?: Json }> };
  const has = (name: string) => keys[name] && keys[name].flags?.presence !== 'forbidden';
  // Without a page's size the whole list comes, so that there is nothing to go on to.
  if (isWhole) return {};
  if (has('cursor')) return { 'x-pagination': 'cursor' };
  return has('offset') ? { 'x-pagination': 'offset' } : {};
}

function pathParameters(route: Route, gathered: Gathered): Json[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    if (name === 'workspaceId') return reference('parameters', 'WorkspaceId');
    const own = route.params?.[name];
    const isId = /(^id|Id)$/.test(name);
    const schema = own
      ? toJsonSchema(own, 'query', gathered)
      : { type: 'string', ...(isId ? { format: 'uuid' } : {}) };
    return { name, in: 'path', required: true, schema };
  });
}

function queryParameters({ query }: Route, gathered: Gathered): Json[] {
  if (!query) return [];
  const {
    properties = {},
    required = [],
    patternProperties,
  } = toJsonSchema(query, 'query', gathered);
  const named = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }),
  );
  if (!patternProperties) return named;
  // Parameters whose names are the caller's: an exploded object is the way to say so.
  const schema = { type: 'object', patternProperties, additionalProperties: false };
  return [
    ...named,
    { name: 'others', in: 'query', required: false, style: 'form', explode: true, schema },
  ];
}

export function takesCondition({
  method,
  versioned,
}: Pick<Route, 'method' | 'versioned'>): boolean {
  return versioned === true && method !== 'get';
}

function requestBodyOf(route: Route, name: string, gathered: Gathered): Json {
  const { method, body, rawBody, takes = 'multipart/form-data' } = route;
  if (rawBody)
    return {
      requestBody: {
        required: true,
        content: { [takes]: takes.startsWith('multipart/') ? { schema: FORM } : {} },
      },
    };
  if (!body || method === 'get') return {};
  const schema = toJsonSchema(body, 'request', gathered);
  const named = componentOf(schema, `${name}Body`, gathered);
  const required = (schema.required ?? []).length > 0;
  // Without one, pages fill the form in themselves, with the bounds of what it takes.
  const examples = examplesOf(EXAMPLES[operationIdOf(route)]?.body);
  return {
    requestBody: { required, content: { 'application/json': { schema: named, ...examples } } },
  };
}

function successOf(route: Route, name: string, gathered: Gathered): Json {
  const { status = 200, reply, produces = [], empty, wrapped } = route;
  const headers = {
    'X-Request-Id': reference('headers', 'RequestId'),
    ...(takesKey(route)
      ? { 'Idempotency-Replayed': reference('headers', 'IdempotencyReplayed') }
      : {}),
    ...(route.versioned && route.method !== 'delete' ? { ETag: reference('headers', 'ETag') } : {}),
  };
  if (empty || status === 204) return { description: 'Done', headers };
  if (status >= 300 && status < 400) return { description: 'Leads on to another address', headers };
  const files = Object.fromEntries(produces.map((type) => [type, {}]));
  const description = produces.includes('text/event-stream') ? 'Events, one by one' : 'A file';
  if (!reply && produces.length > 0) return { description, headers, content: files };
  const form = reply ? replyOf(toJsonSchema(reply, 'answer', gathered), name, gathered) : {};
  const schema = !reply
    ? reference('schemas', 'Message')
    : wrapped === false
      ? form
      : wrappedIn(form, route, gathered);
  return {
    description: 'Success',
    headers,
    content: {
      'application/json': { schema, ...examplesOf(EXAMPLES[operationIdOf(route)]?.answer) },
      ...files,
    },
  };
}

function wrappedIn(form: JsonSchema | Json, route: Route, gathered: Gathered): Json {
  const isPaged = form.type === 'array' || paginationOf(route)['x-pagination'] !== undefined;
  const meta = route.meta
    ? toJsonSchema(route.meta, 'answer', gathered)
    : isPaged
      ? reference('schemas', 'PageMeta')
      : undefined;
  return {
    type: 'object',
    required: ['data'],
    properties: { data: form, ...(meta ? { meta } : {}) },
  };
}

/** What an answer holds gets a name of its own, or else of its operation, so that code can speak of it. */
function replyOf(schema: JsonSchema, name: string, gathered: Gathered): JsonSchema {
  if (schema.items) return { ...schema, items: componentOf(schema.items, `${name}Row`, gathered) };
  return componentOf(schema, `${name}Result`, gathered);
}

function componentOf(schema: JsonSchema, name: string, gathered: Gathered): JsonSchema {
  const isObject = schema.type === 'object' && schema.properties !== undefined;
  if (!isObject && !schema.oneOf) return schema;
  gathered.components[name] = schema;
  return reference('schemas', name);
}

function alsoAnswered(route: Route, name: string, gathered: Gathered): Json {
  return Object.fromEntries(
    Object.entries(route.alsoAnswers ?? {}).map(([status, kind]) => [
      status,
      kind === 'empty' ? { description: 'Nothing to say' } : successOf(route, name, gathered),
    ]),
  );
}
