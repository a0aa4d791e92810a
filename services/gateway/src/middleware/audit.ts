import { singular } from '../openapi/names';
import type { Answer, Route } from '../routing';
import type { Input } from '../routing/route';
import type { AuditTrail } from './audit-trail';
import { type ChangedValue, changedValues } from './values';

/** Names beyond that are of no use to anybody, and a batch of records has to fit into one call. */
const CHANGES_MAX = 100;
const NAME_LENGTH_MAX = 100;

export interface Audit {
  /** Refuses a change that could not be recorded. */
  admit(): void;
  /** Notes that a person or token changed something in a workspace; resolves once that cannot be lost. */
  record(
    route: Route,
    input: Input<string, unknown, unknown>,
    outcome: { before: Answer | null; answer: Answer },
  ): Promise<void>;
  /** Sends what is kept, so that who reads the log next finds what they did before. */
  settle(): Promise<void>;
}

/**
 * The audit log is identity's. Records hold names of what changed, values only of what a workspace is set up with, and are
 * kept before the answer.
 */
export function createAudit(trail: AuditTrail, now: () => Date = () => new Date()): Audit {
  return {
    admit: () => trail.admit(),
    async record(route, input, { before, answer }) {
      const { caller, context } = input;
      if (caller.type === 'anonymous' || caller.type === 'client') return;
      const names = Object.keys((input.body as object | undefined) ?? {});
      const record = {
        actor: { type: caller.type, id: caller.userId, email: caller.email },
        ...nameChange(route),
        entity_id: entityIdOf(input.params, answer),
        request_id: context.requestId,
        changes: names.slice(0, CHANGES_MAX).map((name) => name.slice(0, NAME_LENGTH_MAX)),
        values: [
          ...changedValues(names.slice(0, CHANGES_MAX), before, answer),
          ...mergedAway(input.body),
        ],
        client_id: clientInPath(route, input.params) ?? clientIdOf(input.body, answer),
        at: now().toISOString(),
      };
      const workspaceIds = input.workspaceId === '' ? [...input.admitted] : [input.workspaceId];
      await Promise.all(
        workspaceIds.map((workspace_id) => trail.keep({ workspace_id, ...record })),
      );
    },
    settle: () => trail.settle(),
  };
}

const VERBS: Record<string, string> = {
  post: 'create',
  put: 'update',
  patch: 'update',
  delete: 'delete',
};

/** Paths that name their resource otherwise than the rest of the API does. */
const NOUNS: Record<string, string> = {
  invite: 'invitations',
  invitation: 'invitations',
  batch: 'events',
};

/**
 * `POST :ws/clients` is clients.create, `POST :ws/clients/:id/anonymize` clients.anonymize,
 * `POST :ws/loyalty/points/earn` points.earn, `PATCH :ws/members/:userId/role` members.update.
 */
export function nameChange({ method, path }: Pick<Route, 'method' | 'path'>): {
  action: string;
  entity: string;
} {
  const segments = path
    .replace(/^\/service-api\/(workspace\/:workspaceId\/?)?/, '')
    .split('/')
    .filter(Boolean);
  const literals = segments.filter((segment) => !segment.startsWith(':'));
  const endsInVerb = method === 'post' && literals.length > 1 && !segments.at(-1)!.startsWith(':');
  const endsInPart =
    (method === 'patch' || method === 'put') &&
    segments.at(-2)?.startsWith(':') === true &&
    !segments.at(-1)!.startsWith(':');
  const verb = endsInVerb ? literals.at(-1)! : VERBS[method]!;
  const named = (endsInVerb || endsInPart ? literals.at(-2) : literals.at(-1)) ?? 'workspaces';
  const noun = NOUNS[named] ?? named;
  return { action: `${noun}.${verb}`, entity: singular(noun) };
}

/** Whose part it is that the path names, as of one of the ids that other systems know a client by. */
function clientInPath({ path }: Route, params: Readonly<Record<string, string>>): string | null {
  const [, name] = /\/clients\/:(\w+)\/[^/]+\/:/.exec(path) ?? [];
  return (name && params[name]) ?? null;
}

/** Whose points, reward or card it was: what was asked for says so, or what became of it. */
function clientIdOf(body: unknown, answer: Answer): string | null {
  const { data } = (answer.body ?? {}) as { data?: { client_id?: unknown } | null };
  const { client_id, from_client_id } = (body ?? {}) as Record<string, unknown>;
  const ids = [client_id, from_client_id, data?.client_id];
  return ids.find((id): id is string => typeof id === 'string') ?? null;
}

/** Who was merged into whom: the one of both who is gone stands nowhere else in the record. */
function mergedAway(body: unknown): ChangedValue[] {
  const { source_client_id: from, target_client_id: to } = (body ?? {}) as Record<string, unknown>;
  return typeof from === 'string' && typeof to === 'string'
    ? [{ name: 'source_client_id', from, to }]
    : [];
}

/** The row in the path, if it names one. */
export const ownIdOf = (params: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(params)
    .filter(([name]) => name !== 'workspaceId')
    .at(-1)?.[1];

/** The row in the path, else the one that the answer shows, whatever it is wrapped in. */
function entityIdOf(params: Readonly<Record<string, string>>, answer: Answer): string | null {
  const own = ownIdOf(params);
  if (own !== undefined) return own;
  const shown = Object.values((answer.body as object | undefined) ?? {}) as {
    id?: unknown;
    user_id?: unknown;
  }[];
  const id = shown.map((part) => part?.id ?? part?.user_id).find((each) => each !== undefined);
  return typeof id === 'string' ? id : null;
}
