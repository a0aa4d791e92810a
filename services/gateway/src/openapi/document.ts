import { platform } from '@laurel/errors';
import { type Direction, toJsonSchema } from '@laurel/json-schema';
import type Joi from 'joi';
import type { Route } from '../routing';

type Schema = Record<string, unknown>;

const ERROR_SCHEMAS: Record<string, Schema> = {
  Error: {
    type: 'object',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['message', 'extensions'],
          properties: {
            message: { type: 'string' },
            extensions: {
              type: 'object',
              required: ['code'],
              properties: { code: { type: 'string' }, field: { type: 'string' } },
            },
          },
        },
      },
    },
  },
  PortalError: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  IntegrationError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};

/** What is answered where there is nothing to show. */
const MESSAGE: Schema = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' } },
};

const SECURITY: Record<Route['stack']['name'], Schema[]> = {
  open: [],
  member: [{ bearer: [] }],
  mobile: [{ mobile: [] }],
  portal: [{ portal: [] }],
  embed: [],
};

/** The OpenAPI 3.1 document of a route table: paths, forms and answers come from the same rows that serve them. */
export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...routes].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : 0,
  )) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, path) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Laurel',
      version: '1.0.0',
      description:
        'Loyalty programmes and wallet passes. Success bodies are `{ data }`, lists add `meta`; errors carry a code that docs/errors.md explains.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: ERROR_SCHEMAS,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A session access token or an API token.',
        },
        mobile: { type: 'apiKey', in: 'header', name: 'X-Mobile-Token' },
        portal: { type: 'apiKey', in: 'header', name: 'x-client-token' },
      },
    },
  };
}

function operationOf(route: Route, path: string): Schema {
  const success = String(route.status ?? 200);
  const body =
    route.body && route.method !== 'get'
      ? {
          requestBody: {
            required: hasRequired(route.body),
            content: { 'application/json': { schema: schemaOf(route.body, 'request') } },
          },
        }
      : {};
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    operationId: `${route.method}_${path.replace(/[^a-zA-Z0-9]+/g, '_').replace(/^_|_$/g, '')}`,
    security: SECURITY[route.stack.name],
    parameters: [...pathParameters(route), ...queryParameters(route), ...keyParameter(route)],
    ...body,
    responses: {
      [success]: successOf(route),
      ...Object.fromEntries(
        Object.entries(route.alsoAnswers ?? {}).map(([status, kind]) => [
          status,
          kind === 'empty' ? { description: 'Nothing to say' } : successOf(route),
        ]),
      ),
      default: {
        description: 'A refusal; its code says which.',
        content: { 'application/json': { schema: errorSchemaOf(route) } },
      },
    },
  };
}

function pathParameters(route: Route): Schema[] {
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: route.params?.[name!]
      ? schemaOf(route.params[name!]!, 'query')
      : /(^id|Id)$/.test(name!)
        ? { type: 'string', format: 'uuid' }
        : { type: 'string' },
  }));
}

function queryParameters(route: Route): Schema[] {
  if (!route.query) return [];
  const { properties = {}, required = [], patternProperties } = schemaOf(route.query, 'query');
  const named = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    schema,
  }));
  if (!patternProperties) return named;
  // Parameters whose names are the caller's: an exploded object is the way to say so.
  const others = { type: 'object', patternProperties, additionalProperties: false };
  return [
    ...named,
    { name: 'others', in: 'query', required: false, style: 'form', explode: true, schema: others },
  ];
}

function keyParameter(route: Route): Schema[] {
  if (route.method !== 'post' || route.readOnly || route.idempotent === false || route.rawBody)
    return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}

function successOf(route: Route): Schema {
  const { status = 200, reply: form, produces = [] } = route;
  const files = Object.fromEntries(produces.map((type) => [type, {}]));
  const isEmpty = route.empty || status === 204 || (status >= 300 && status < 400);
  if (isEmpty) return { description: status < 300 ? 'Done' : 'Leads on to another address' };
  if (!form && produces.length > 0) return { description: 'A file', content: files };
  const reply = form ? schemaOf(form, 'answer') : {};
  const schema = !form
    ? MESSAGE
    : route.wrapped === false
      ? reply
      : {
          type: 'object',
          required: ['data'],
          properties: { data: reply, meta: { type: 'object', additionalProperties: true } },
        };
  return { description: 'Success', content: { 'application/json': { schema }, ...files } };
}

function errorSchemaOf(route: Route): Schema {
  const name = route.path.startsWith('/service-api/public/loyalty/')
    ? 'PortalError'
    : /\/(integrations|webhooks)(\/|$)/.test(route.path)
      ? 'IntegrationError'
      : 'Error';
  return { $ref: `#/components/schemas/${name}` };
}

function hasRequired(schema: Joi.Schema): boolean {
  return ((schemaOf(schema, 'request').required ?? []) as string[]).length > 0;
}

function schemaOf(schema: Joi.Schema, direction: Direction): Schema {
  return toJsonSchema(schema, direction);
}

/** Every platform-wide code with its status, for docs/errors.md. */
export const platformCodes = Object.values(platform).map(({ definition }) => definition);
