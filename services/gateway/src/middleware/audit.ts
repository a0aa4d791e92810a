import type { Logger } from '@laurel/lifecycle';
import { runInContext } from '@laurel/lifecycle';
import type { Answer, Route } from '../routing';
import type { Input } from '../routing/route';
import type { RpcClients } from '../rpc-clients';

const FLUSH_MS = 50;
const HELD_MAX = 5_000;

type AuditRecord = Parameters<RpcClients['identity']['RecordAudits']>[0]['records'][number];

export interface Audit {
  /** Notes that a person or token changed something in a workspace. */
  record(route: Route, input: Input<string, unknown, unknown>, answer: Answer): void;
  /** Sends what is held now, so that who reads the log next finds what they did before. */
  settle(): Promise<void>;
  /** Sends what is still held, and nothing afterwards. */
  stop(): Promise<void>;
}

/**
 * The audit log is identity's. Records go there in batches, after the answer: they hold names of what
 * changed, never values. A batch that cannot be delivered is sent again until it is.
 */
export function createAudit(rpc: RpcClients, logger: Logger): Audit {
  let held: AuditRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    const records = held;
    held = [];
    if (records.length === 0) return;
    try {
      await rpc.identity.RecordAudits({ records });
    } catch (error) {
      logger.warn({ err: error, count: records.length }, 'audit records wait for identity');
      held = [...records, ...held].slice(-HELD_MAX);
      schedule(1_000);
    }
  }

  function schedule(delayMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      sending = sending.then(flush);
    }, delayMs);
    timer.unref();
  }

  return {
    record(route, input, answer) {
      const { caller, workspaceId, context } = input;
      if (workspaceId === '' || caller.type === 'anonymous' || caller.type === 'client') return;
      held.push({
        workspace_id: workspaceId,
        actor: { type: caller.type, id: caller.userId, email: caller.email },
        ...nameChange(route),
        entity_id: entityIdOf(input.params, answer),
        request_id: context.requestId,
        changes: Object.keys((input.body as object | undefined) ?? {}),
        at: new Date().toISOString(),
      });
      runInContext(context, () => schedule(FLUSH_MS));
    },
    settle() {
      sending = sending.then(flush);
      return sending;
    },
    async stop() {
      clearTimeout(timer);
      await sending;
      await flush();
      clearTimeout(timer);
    },
  };
}

const VERBS: Record<string, string> = {
  post: 'create',
  put: 'update',
  patch: 'update',
  delete: 'delete',
};

/** Paths that name their resource otherwise than the rest of the API does. */
const NOUNS: Record<string, string> = { invite: 'invitations', invitation: 'invitations' };

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

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** The row in the path, else the one that the answer shows, whatever it is wrapped in. */
function entityIdOf(params: Readonly<Record<string, string>>, answer: Answer): string | null {
  const own = Object.entries(params)
    .filter(([name]) => name !== 'workspaceId')
    .at(-1)?.[1];
  if (own !== undefined) return own;
  const shown = Object.values((answer.body as object | undefined) ?? {}) as {
    id?: unknown;
    user_id?: unknown;
  }[];
  const id = shown.map((part) => part?.id ?? part?.user_id).find((each) => each !== undefined);
  return typeof id === 'string' ? id : null;
}
