import type { Context } from '@laurel/lifecycle';
import type { Request } from 'express';
import type Joi from 'joi';
import type { Caller } from '../middleware/caller';
import type { AwaitPeer } from '../middleware/peers';
import type { RpcClients } from '../rpc-clients';
import type { Answer } from './answer';
import type { Scope } from './scopes';
import type { Stack } from './stacks';
import { takingPage } from './whole-list';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a route's `handle` receives: already authenticated, guarded and validated. */
export interface Input<Path extends string, Query, Body> {
  params: Record<ParamNames<Path>, string>;
  query: Query;
  body: Body;
  /** The workspace the caller was admitted to; empty on routes without one. */
  workspaceId: string;
  /** Those that `handle` itself has admitted the caller to, on such a route (`admitsItself`). */
  admitted: Set<string>;
  caller: Caller;
  /** The caller's address as limits count it, as far as TRUST_PROXY lets it be known. */
  ip: string;
  context: Context;
  rpc: RpcClients;
  request: Request;
  /** How `handle` waits for a raw body, or for an address that the caller named. */
  awaitPeer: AwaitPeer;
  /** Rejects where the caller would not be admitted any more: for what comes long after the request, e.g. the end of a raw body. */
  stillAllowed: () => Promise<void>;
  /** Where the platform is reached, as PUBLIC_URL says. */
  publicUrl: string;
  /**
   * Begins the use of the request's Idempotency-Key, once a raw body is read. `body` stands for it; the answer is the
   * first one, where this is a repeat.
   */
  beginKey: (body: unknown) => Promise<Answer | null>;
}

export interface RouteSpec<Path extends string, Query, Body> {
  stack: Stack;
  tag: string;
  summary: string;
  /** What the summary does not say: when to call it, what follows, what is refused. */
  description: string;
  /** Path parameters that are no UUIDs. */
  params?: Record<string, Joi.Schema>;
  query?: Joi.ObjectSchema<Query>;
  body?: Joi.ObjectSchema<Body>;
  /** Success status; 200 unless said otherwise. */
  status?: number;
  /** What stands under `data` (or is the whole body of a `bare` answer); documents the route. */
  reply?: Joi.Schema;
  /** What stands under `meta` of an answer that is no page. */
  meta?: Joi.Schema;
  /** Media types of answers that are no JSON, beside the reply where there is one. */
  produces?: readonly string[];
  /** True where an answer is a status and no body. */
  empty?: boolean;
  /** Other statuses that are no refusal: with the reply's body, or 'empty'. */
  alsoAnswers?: Readonly<Record<number, 'reply' | 'empty'>>;
  /** False where a body is not wrapped in `{ data }`. */
  wrapped?: boolean;
  /** False where an Idempotency-Key is ignored, e.g. because the answer holds a show-once secret. */
  idempotent?: boolean;
  /** True for a POST that changes nothing. */
  readOnly?: boolean;
  /** True where answers carry the ETag of the row, and a change takes If-Match (docs/adr/0034). */
  versioned?: boolean;
  /** True where the caller must find the changes they made before: the audit log. */
  readsAudit?: boolean;
  /** True where what is asked says only to `handle` which workspaces it is about: that admits the caller to each. */
  admitsItself?: boolean;
  /** The body is no JSON: `handle` reads it from `request` itself. */
  rawBody?: boolean;
  /** True where a raw body comes under an Idempotency-Key: `handle` calls `beginKey` before it changes anything. */
  keyed?: boolean;
  /** Media type of a raw body; a form with a file unless said otherwise. */
  takes?: string;
  /** How many members the body may have in all, where 10 000 are too few. */
  bodyMembersMax?: number;
  /** Members of the answer's body that are shown once: a repeat under the same Idempotency-Key has null there. */
  shownOnce?: readonly string[];
  handle: (input: Input<Path, Query, Body>) => Promise<Answer>;
}

/** One row of the route table. A route that is not in the table does not exist. */
export interface Route extends Omit<RouteSpec<string, unknown, unknown>, 'handle'> {
  method: Method;
  /** As express takes it, e.g. /service-api/workspace/:workspaceId/clients/:id. */
  path: string;
  /** What it wants of a named token, as the table of scopes says; of members' routes alone. */
  scope?: Scope;
  /** True where `handle` gives a list as a whole, of which a part may be asked for. */
  isWhole?: boolean;
  handle: (input: Input<string, unknown, unknown>) => Promise<Answer>;
}

/** Whether a route takes an Idempotency-Key: only POSTs that change something take a key; the rest are repeatable by nature. */
export const takesKey = ({ method, idempotent, readOnly, rawBody, keyed }: Route): boolean =>
  method === 'post' && idempotent !== false && !readOnly && (!rawBody || keyed === true);

function builder(method: Method) {
  return <const Path extends string, Query = unknown, Body = unknown>(
    path: Path,
    spec: RouteSpec<Path, Query, Body>,
  ): Route => ({ ...spec, method, path: expandPath(path) }) as unknown as Route;
}

const read = builder('get');

/** A route that is read; a list that comes as a whole can be asked for in parts. */
export const get: typeof read = (path, spec) => takingPage(read(path, spec));
export const post = builder('post');
export const put = builder('put');
export const patch = builder('patch');
export const del = builder('delete');

/** `:ws/clients` and `/events` sit under /service-api; `!/auth/login` sits at the root (part 3). */
export function expandPath(path: string): string {
  if (path.startsWith('!')) return path.slice(1);
  if (path === ':ws' || path.startsWith(':ws/'))
    return `/service-api/workspace/:workspaceId${path.slice(3)}`;
  return `/service-api${path}`;
}
