import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/proto-loader';
import { platform } from '@laurel/errors';
import {
  type Context,
  inSpan,
  isSandbox,
  type Logger,
  metrics,
  noteSandbox,
  runInContext,
  SpanKind,
  standstills,
} from '@laurel/lifecycle';
import { HealthImplementation } from 'grpc-health-check';
import { onlyFrom } from './callers';
import { codecsOf } from './codec';
import { serverCredentials } from './credentials';
import { type Faults, failureOf, type Names } from './failure-of';
import type { Services } from './generated';
import {
  type Answer,
  type Failure,
  MESSAGE_BYTES_MAX,
  type Offered,
  offerInProcess,
} from './in-process';
import { contextFromMetadata } from './metadata';
import { loadService } from './protos';

type Handler<R> = R extends { request: infer Request; reply: infer Reply; stream: true }
  ? (request: Request) => AsyncIterable<Reply>
  : R extends { request: infer Request; reply: infer Reply }
    ? (request: Request) => Promise<Reply>
    : never;

/** A service's table of rpcs: the name on the left, its use case on the right. */
export type Handlers<Name extends keyof Services> = {
  [M in keyof Services[Name]]: Handler<Services[Name][M]>;
};

export interface RpcServerOptions<Name extends keyof Services> {
  service: Name;
  handlers: Handlers<Name>;
  /** What every service answers for itself about the clocks of sandboxes. */
  clock?: Handlers<'clock'>;
  /** What every service does for clones of workspaces. */
  clone?: Handlers<'clone'>;
  logger: Logger;
  host: string;
  port: number;
  tlsFolder?: string | undefined;
  /** How often the folder is looked at again. */
  tlsLookMs?: number;
  /** Who may call, by the names in their certificates; everybody of the authority where it is not said. */
  callers?: readonly string[] | undefined;
  /** What a fault of the store means for the caller; null for any other fault. */
  storeFault?: Faults['storeFault'];
  /** How long a connection is kept, give or take a tenth. */
  connectionMsMax?: number;
  /** How long what is in flight may take once the server stops; then it is cut off. */
  stopMsMax?: number;
}

/**
 * Callers look a name up again when a connection ends, and at no other time: without an end none would hear of pods that
 * were added. What is under way on a connection that has come to its end is answered on it, however long that takes.
 */
const CONNECTION_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;

export interface RpcServer {
  port: number;
  stop(): Promise<void>;
}

/**
 * Serves `protos/<service>.proto`. Refusals cross as themselves; anything else is logged and answered INTERNAL, or
 * SERVICE_UNAVAILABLE or CONFLICT where the store only cannot at the moment.
 */
export async function startRpcServer<Name extends keyof Services>(
  options: RpcServerOptions<Name>,
): Promise<RpcServer> {
  const { service, handlers, clock, clone, host, port } = options;
  const { connectionMsMax = CONNECTION_MS_MAX, stopMsMax = STOP_MS_MAX } = options;
  const { fullName } = loadService(service);
  // From here on: one that was not watched is not noticed.
  standstills();
  const server = new Server({
    'grpc.enable_channelz': 0,
    'grpc.max_connection_age_ms': connectionMsMax,
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    interceptors: options.callers ? [onlyFrom(options.callers, options.logger)] : [],
  });
  const answers = new Map([
    ...addService({ server, service, handlers }, options),
    ...(clock ? addService({ server, service: 'clock', handlers: clock }, options) : []),
    ...(clone ? addService({ server, service: 'clone', handlers: clone }, options) : []),
  ]);
  new HealthImplementation({ '': 'SERVING', [fullName]: 'SERVING' }).addToServer(server);
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(
      `${host}:${port}`,
      serverCredentials(options.tlsFolder, options.tlsLookMs),
      (error, boundPort) => (error ? reject(error) : resolve(boundPort)),
    );
  });
  const offered = offerInProcess(bound, answers);
  return {
    port: bound,
    stop: () => stopGently({ server, address: `${host}:${bound}`, offered }, stopMsMax),
  };
}

interface Served<Name extends keyof Services> {
  server: Server;
  service: Name;
  handlers: Handlers<Name>;
}

/** Returns what answers each rpc that has one reply, by its path. */
function addService<Name extends keyof Services>(
  { server, service, handlers }: Served<Name>,
  faults: Faults,
): Map<string, Answer> {
  const { definition, root, fullName } = loadService(service);
  const implementation: UntypedServiceImplementation = {};
  const spoken: ServiceDefinition = {};
  const answers = new Map<string, Answer>();
  for (const [method, rpc] of Object.entries(definition)) {
    const handler = (handlers as Record<string, unknown>)[method];
    if (typeof handler !== 'function') throw new Error(`${service} has no handler for ${method}`);
    const names = { service, method };
    const { request, reply } = codecsOf(root, fullName, method);
    spoken[method] = {
      ...rpc,
      requestDeserialize: request.decode as typeof rpc.requestDeserialize,
      responseSerialize: reply.encode,
    };
    if (rpc.responseStream) {
      implementation[method] = streaming(
        names,
        handler as (request: unknown) => AsyncIterable<unknown>,
        faults,
      );
      continue;
    }
    const answer = answering(names, handler as (request: unknown) => Promise<unknown>, faults);
    answers.set(rpc.path, answer);
    implementation[method] = unary(answer, () => failureOf(tooLate(), names, faults));
  }
  server.addService(spoken, implementation);
  return answers;
}

interface Stopping {
  server: Server;
  address: string;
  offered: Offered;
}

/** Finishes what is in flight; what has not ended after so long is cut off, as 503. */
function stopGently({ server, address, offered }: Stopping, msMax: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      offered.cut();
      resolve();
    }, msMax);
    // Cuts what is left then. `forceShutdown` knows of no connection where channelz is off (grpc-js 1.14.7).
    server.drain(address, msMax);
    const closed = new Promise<void>((done) => server.tryShutdown(() => done()));
    void Promise.all([closed, offered.stop()]).then(() => {
      clearTimeout(force);
      resolve();
    });
  });
}

function answering(
  names: Names,
  handler: (request: unknown) => Promise<unknown>,
  faults: Faults,
): Answer {
  return async (request, asked) => {
    const endTimer = metrics.rpcServerDuration.startTimer(names);
    const context = ofSandbox(underCondition(asked), request);
    try {
      const reply = await runInContext(context, () =>
        inSpan(
          `${names.service}/${names.method}`,
          { kind: SpanKind.SERVER, traceparent: context.traceparent },
          async () => handler(request),
        ),
      );
      endTimer({ code: 'OK' });
      return { reply };
    } catch (error) {
      const failure = runInContext(context, () => failureOf(error, names, faults));
      endTimer({ code: failure.name });
      return { failure };
    }
  };
}

const tooLate = () => platform.serviceUnavailable({ retryAfterSeconds: 1 });

function unary(answer: Answer, late: () => Failure): handleUnaryCall<unknown, unknown> {
  return (call: ServerUnaryCall<unknown, unknown>, respond: sendUnaryData<unknown>) => {
    const deadlineAt = deadlineOf(call);
    if (deadlineAt !== undefined && deadlineAt <= Date.now()) return respond(late());
    const context = contextFromMetadata(call.metadata, deadlineAt);
    void answer(call.request, context).then((answered) =>
      'reply' in answered ? respond(null, answered.reply) : respond(answered.failure),
    );
  };
}

function streaming(
  names: Names,
  handler: (request: unknown) => AsyncIterable<unknown>,
  faults: Faults,
): handleServerStreamingCall<unknown, unknown> {
  return (call: ServerWritableStream<unknown, unknown>) => {
    const endTimer = metrics.rpcServerDuration.startTimer(names);
    const context = ofSandbox(contextFromMetadata(call.metadata, deadlineOf(call)), call.request);
    const pump = async (): Promise<void> => {
      for await (const row of handler(call.request)) {
        if (call.cancelled) return;
        if (!call.write(row)) await drained(call);
      }
      call.end();
    };
    runInContext(context, pump).then(
      () => endTimer({ code: 'OK' }),
      (error: unknown) => {
        const failure = runInContext(context, () => failureOf(error, names, faults));
        endTimer({ code: failure.name });
        call.emit('error', {
          code: failure.code,
          details: failure.details,
          metadata: failure.metadata,
        });
      },
    );
  };
}

/** The condition of a call holds for what it asks, and for nothing that is asked of others on the way. */
function underCondition({ ifMatch, condition: _earlier, ...context }: Context): Context {
  return ifMatch === undefined ? context : { ...context, condition: ifMatch };
}

/**
 * Believes what a call says of the clock of its sandbox, however it came; what is asked in no one's name about a sandbox
 * is answered by its clock all the same (docs/adr/0029).
 */
function ofSandbox(context: Context, request: unknown): Context {
  if (context.workspaceId && context.sandboxAheadMs !== undefined)
    noteSandbox(context.workspaceId, context.sandboxAheadMs);
  const { workspace_id: workspaceId } = request as { workspace_id?: string };
  return context.workspaceId === null && isSandbox(workspaceId)
    ? { ...context, workspaceId: workspaceId! }
    : context;
}

function drained(call: ServerWritableStream<unknown, unknown>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.off('drain', done);
      call.off('close', done);
      call.off('cancelled', done);
      resolve();
    };
    call.on('drain', done);
    call.on('close', done);
    call.on('cancelled', done);
  });
}

/**
 * Until when a caller surely waits. gRPC sends deadlines as a time that is left, which begins when a call is read: one that has
 * waited in a socket, as this process was frozen, looks as fresh as any, though its caller asks another replica before, and
 * passes on what that one says.
 */
function deadlineOf(call: { getDeadline(): Date | number }): number | undefined {
  const deadline = Number(call.getDeadline());
  return Number.isFinite(deadline) ? deadline - standstills().waitedMsMax() : undefined;
}
