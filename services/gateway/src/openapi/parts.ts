import { platform } from '@laurel/errors';
import type { JsonSchema } from '@laurel/json-schema';
import { ALL_REASONS } from './reasons-of';

type Json = Record<string, unknown>;

const text: JsonSchema = { type: 'string' };
/** What keeps a thing from being deleted (part 4, section 6). */
const used_by: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'id', 'name'],
    properties: { type: text, id: text, name: text },
  },
};
/** Who made the change that came before, and when (docs/adr/0034). */
const changed_by: JsonSchema = {
  type: 'object',
  required: ['type', 'id', 'email'],
  properties: {
    type: text,
    id: { type: ['string', 'null'] },
    email: { type: ['string', 'null'] },
  },
};
const changed_at: JsonSchema = { type: 'string', format: 'date-time' };
const extensions: JsonSchema = {
  type: 'object',
  description: 'What else is known of the problem; more members may come.',
  required: ['code'],
  properties: {
    code: {
      type: 'string',
      description: 'What kind of no it is: what a program goes by.',
      'x-extensible-enum': Object.values(platform).map(({ definition }) => definition.code),
    },
    field: { type: 'string', description: 'The dotted path of the member that is wrong.' },
    reason: {
      type: 'string',
      description: 'The case of the code, as one word; each operation names its own.',
      // Answers grow: the word, taken from Zalando's guidelines, says that these are not all there will ever be.
      'x-extensible-enum': ALL_REASONS,
    },
    used_by,
    changed_by,
    changed_at,
    missing_scope: {
      type: 'string',
      description: 'The scope that a named token lacks (with the reason `scope_missing`).',
    },
  },
  additionalProperties: true,
};
const problems: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['message', 'extensions'],
    properties: { message: text, extensions },
  },
};

/** The three forms of a refusal (part 3, section 1.1), and what answers without a resource hold. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: { type: 'object', required: ['errors'], properties: { errors: problems } },
  PortalError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'string', description: 'A word that a page can translate, or a sentence.' },
    },
  },
  IntegrationError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: text,
          message: text,
          details: problems,
          used_by,
          changed_by,
          changed_at,
        },
      },
    },
  },
  PageMeta: {
    type: 'object',
    description: 'Where the page stands in the whole list.',
    properties: {
      total: { type: 'integer', description: 'Rows of all pages together.' },
      total_count: { type: 'integer', description: 'The same, on some lists.' },
      returned_count: { type: 'integer', description: 'Rows of this page.' },
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      next_cursor: {
        type: ['string', 'null'],
        description: 'Leads to the next page as `cursor`; not there, or null, on the last one.',
      },
    },
  },
};

/** What operations share: each is said once and referred to. */
export const PARAMETERS: Readonly<Record<string, Json>> = {
  WorkspaceId: {
    name: 'workspaceId',
    in: 'path',
    required: true,
    description: 'The workspace that everything here belongs to.',
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Any text that is new for each wish. A repeat within 24 hours does nothing and gets the first answer again, marked by `Idempotency-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag that the row was read with, several of them, or `*`. Where the row is of another version by now, nothing is changed: 412 with the reason `changed_meanwhile`, `changed_at`, and `changed_by` where that is known.',
    schema: { type: 'string', minLength: 1 },
  },
};

export const HEADERS: Readonly<Record<string, Json>> = {
  RequestId: {
    description: 'Names the call in logs and to support.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  ETag: {
    description: 'Names the version of the row, for the `If-Match` of a change of it.',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: '`true` where the answer repeats an earlier one.',
    schema: { type: 'string', const: 'true' },
  },
};

export const SECURITY_SCHEMES: Readonly<Record<string, Json>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A session access token or an API token of a user. A named API token needs the scope that stands beside `bearer` at the operation, else it is refused with 403 `scope_missing`: `full` opens `read`, `configure`, `operate` and `full`, each of the others itself and `read`, and none opens `account`: that is refused with 403 `not_by_named_token`. A session and the API token without a name open everything.',
  },
  mobile: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Mobile-Token',
    description: 'The session of the staff app, from pairing.',
  },
  portal: {
    type: 'apiKey',
    in: 'header',
    name: 'x-client-token',
    description: 'The session of a client in the portal.',
  },
  page: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Laurel-Page',
    description:
      'Any value. Only pages of the platform itself get in: the browser vouches for it (Sec-Fetch-Site, else Origin). The session is a cookie.',
  },
};

export const reference = (kind: string, name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});
