import { Client as GrpcClient, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import { type Context, currentContext, inSpan, metrics, SpanKind } from '@laurel/lifecycle';
import { createBreakers, NotReached } from './breaker';
import { codecsOf, type MessageCodec } from './codec';
import { connectionOf, whenConnected } from './connection';
import { clientCredentials } from './credentials';
import { isDown, isUnknown, SERVERS_ASKED, toError } from './failures';
import type { Services } from './generated';
import { type Asked, ask, failed, inProcess, MESSAGE_BYTES_MAX } from './in-process';
import { contextToMetadata } from './metadata';
import { loadService } from './protos';
import { type Beginning, readStream } from './read-stream';

type Call<R> = R extends { request: infer Request; reply: infer Reply; stream: true }
  ? (request: Request, begin?: Beginning) => AsyncIterable<Reply>
  : R extends { request: infer Request; reply: infer Reply }
    ? (request: Request) => Promise<Reply>
    : never;

/** One function per rpc of the service, named as in its proto. */
export type RpcClient<Name extends keyof Services> = {
  [M in keyof Services[Name]]: Call<Services[Name][M]>;
} & {
  /** Resolves when a server of the target answers. */
  ready(): Promise<void>;
  close(): void;
};

export interface RpcClientOptions {
  target: string;
  tlsFolder?: string | undefined;
  /** How often the folder is looked at again. */
  tlsLookMs?: number;
  /** How long a call may take when its context sets no earlier deadline. */
  callMsMax?: number;
  /** The same for single rpcs that need longer, by name. */
  patience?: Readonly<Record<string, number>> | undefined;
}

const CALL_MS_MAX = 10_000;
/** Kept back at each hop, so that the innermost timeout is the one that is reported. */
const HOP_MS = 20;
/**
 * A client for `protos/<service>.proto`. Calls are spread over all addresses of the target, carry the
 * current context, end by its deadline, and are refused at once with SERVICE_UNAVAILABLE while the
 * service cannot be reached. Rpcs that declare an `idempotency_level` are tried again when a server is gone, all others where
 * they were never sent: only what answers its repeat as it answered the first may declare one, or a success whose answer
 * was lost would come back as a refusal.
 */
export function createRpcClient<Name extends keyof Services>(
  service: Name,
  options: RpcClientOptions,
): RpcClient<Name> {
  const { definition, root, fullName } = loadService(service);
  const channel = new GrpcClient(
    options.target,
    clientCredentials(options.tlsFolder, options.tlsLookMs),
    {
      'grpc.enable_channelz': 0,
      'grpc.keepalive_time_ms': 30_000,
      'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2_000,
      // Pods that are replaced one after the other have new addresses: the default of 30 s would miss the second one.
      'grpc.dns_min_time_between_resolutions_ms': 1_000,
      'grpc.service_config': JSON.stringify(serviceConfig(fullName, definition)),
    },
  );
  const breakers = createBreakers(service, connectionOf(channel));
  const find = inProcess(options.target);

  const calls: Record<string, unknown> = {
    ready: () =>
      new Promise<void>((resolve, reject) =>
        channel.waitForReady(Date.now() + 5_000, (error) => (error ? reject(error) : resolve())),
      ),
    close: () => {
      breakers.shutdown();
      channel.close();
    },
  };
  for (const [method, rpc] of Object.entries(definition)) {
    const names = { service, method };
    const wire: Wire = {
      channel,
      path: rpc.path,
      names,
      neighbour: () => find(rpc.path),
      ...codecsOf(root, fullName, method),
      callMsMax: options.patience?.[method] ?? options.callMsMax ?? CALL_MS_MAX,
    };
    calls[method] = rpc.responseStream
      ? (message: unknown, begin?: Beginning) => readStream(wire, message, begin)
      : async (message: unknown) => {
          requireSentOnce(names, rpc);
          return breakers.fire(() => callOnce(wire, message));
        };
  }
  return calls as RpcClient<Name>;
}

interface Wire {
  channel: GrpcClient;
  path: string;
  names: { service: string; method: string };
  /** What answers it in this very process, if anything does. */
  neighbour: () => Asked | null;
  request: MessageCodec;
  reply: MessageCodec;
  callMsMax: number;
}

/**
 * A change under a condition is a fault where the transport repeats it: after a lost answer the repeat would name the version
 * that the first one has replaced, and the caller would be refused for its own change (docs/adr/0034).
 */
function requireSentOnce(
  { service, method }: Wire['names'],
  rpc: MethodDefinition<object, object>,
): void {
  if (currentContext().ifMatch === undefined) return;
  if (rpc.options?.idempotency_level !== 'IDEMPOTENT') return;
  throw new Error(`${service}.${method} is declared IDEMPOTENT, and was asked under a condition`);
}

async function callOnce(wire: Wire, request: unknown): Promise<unknown> {
  const { channel, names, callMsMax } = wire;
  const context = currentContext();
  const deadline = deadlineFor(context, callMsMax);
  const endTimer = metrics.rpcClientDuration.startTimer(names);
  let reply: unknown;
  try {
    reply = await inSpan(
      `${names.service}/${names.method}`,
      { kind: SpanKind.CLIENT, traceparent: context.traceparent },
      (traceparent) => {
        const neighbour = wire.neighbour();
        return neighbour
          ? askNeighbour({ wire, neighbour }, request, {
              ...tracedBy(context, traceparent),
              deadlineAt: deadline,
            })
          : whenConnected(channel, deadline, () =>
              sendToOneThatKnows(wire, request, {
                metadata: contextToMetadata(tracedBy(context, traceparent)),
                deadline,
              }),
            );
      },
    );
  } catch (error) {
    const failure = error as ServiceError;
    endTimer({ code: status[failure.code] ?? 'UNKNOWN' });
    const shown = toError(failure, names.service);
    if (isDown(failure, channel)) throw new NotReached(shown);
    throw shown;
  }
  endTimer({ code: 'OK' });
  return reply;
}

/**
 * Both sides see what they would see over the wire: copies of their own, with what was not said filled in. Rejects with a
 * `ServiceError`.
 */
async function askNeighbour(
  { wire, neighbour }: { wire: Wire; neighbour: Asked },
  message: unknown,
  context: Context & { deadlineAt: number },
): Promise<unknown> {
  return copied(wire.reply, await ask(neighbour, copied(wire.request, message), context));
}

function copied(codec: MessageCodec, message: unknown): unknown {
  const bytes = codec.encode(message);
  if (bytes.length > MESSAGE_BYTES_MAX)
    throw failed(status.RESOURCE_EXHAUSTED, 'the message is too large');
  return codec.decode(bytes);
}

/**
 * A server of the release before does not know what this one added. It has done nothing then, whatever was asked, so the
 * next server of the target is asked: calls go round.
 */
async function sendToOneThatKnows(wire: Wire, message: unknown, how: Sending): Promise<unknown> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await send(wire, message, how);
    } catch (error) {
      if (!isUnknown(error as ServiceError) || asked === SERVERS_ASKED) throw error;
    }
  }
}

interface Sending {
  metadata: Metadata;
  deadline: number;
}

/** Rejects with a `ServiceError`. */
function send(
  { channel, path, request, reply }: Wire,
  message: unknown,
  { metadata, deadline }: Sending,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    channel.makeUnaryRequest(
      path,
      request.encode,
      reply.decode,
      message,
      metadata,
      { deadline },
      (error: ServiceError | null, answer?: unknown) => (error ? reject(error) : resolve(answer)),
    );
  });
}

function tracedBy(context: Context, traceparent: string | undefined): Context {
  return traceparent === undefined ? context : { ...context, traceparent };
}

function deadlineFor({ deadlineAt }: Context, callMsMax: number): number {
  const own = Date.now() + callMsMax;
  return deadlineAt === undefined ? own : Math.min(own, deadlineAt - HOP_MS);
}

function serviceConfig(
  fullName: string,
  definition: Record<string, MethodDefinition<object, object>>,
): object {
  const repeatable = Object.entries(definition)
    .filter(([, rpc]) =>
      ['NO_SIDE_EFFECTS', 'IDEMPOTENT'].includes(String(rpc.options?.idempotency_level)),
    )
    .map(([method]) => ({ service: fullName, method }));
  const retryPolicy = {
    maxAttempts: 4,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: repeatable.length > 0 ? [{ name: repeatable, retryPolicy }] : [],
  };
}
