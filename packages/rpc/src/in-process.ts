import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Context } from '@laurel/lifecycle';

/** The largest message of a call, on the wire and off it: a page of a thousand rows, each with as much JSON as it may have. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** What a call that was refused or failed is answered; `metadata` carries the refusal. */
export interface Failure {
  code: status;
  name: string;
  details: string;
  metadata: Metadata;
}

/** Answers one rpc, however its message came. */
export type Answer = (
  request: unknown,
  context: Context,
) => Promise<{ reply: unknown } | { failure: Failure }>;

interface Server {
  /** By the path of the rpc: one port may serve several services. */
  answers: ReadonlyMap<string, Answer>;
  underway: Set<Underway>;
}

interface Underway {
  answering: Promise<unknown>;
  /** Ends it for its caller, whatever becomes of it. */
  cut(): void;
}

/** The servers of this process by the port that they listen on; null where each service has a process of its own. */
let servers: Map<number, Server> | null = null;

/** From here on services of this process reach each other by a call in place of a connection (docs/adr/0031). */
export function shareProcess(): void {
  servers ??= new Map();
}

/** Answers that those in the same process find. */
export interface Offered {
  /** They are found no more; resolves once nothing is underway. */
  stop(): Promise<void>;
  /** What is underway is unavailable to its callers. */
  cut(): void;
}

/** Lets those in the same process find the answers that are served at a port, until it stops. */
export function offerInProcess(port: number, answers: ReadonlyMap<string, Answer>): Offered {
  const server: Server = { answers, underway: new Set() };
  servers?.set(port, server);
  return {
    async stop() {
      servers?.delete(port);
      while (server.underway.size > 0)
        await Promise.allSettled([...server.underway].map(({ answering }) => answering));
    },
    cut() {
      for (const { cut } of server.underway) cut();
    },
  };
}

const LOOPBACK = /^(?:ipv4:|dns:(?:\/\/[^/]*\/)?)?(?:localhost|127\.0\.0\.1):(\d+)$/;

/** Finds what answers the rpc of a path at a target, where this process itself listens there at that moment. */
export function inProcess(target: string): (path: string) => Asked | null {
  const port = Number(LOOPBACK.exec(target)?.[1]);
  return (path) => {
    const server = servers?.get(port);
    const answer = server?.answers.get(path);
    return server && answer ? { answer, underway: server.underway } : null;
  };
}

export interface Asked {
  answer: Answer;
  underway: Set<Underway>;
}

/** Asks a service of this process. Rejects with a `ServiceError`, at the context's deadline at the latest. */
export function ask(
  { answer, underway }: Asked,
  request: unknown,
  context: Context & { deadlineAt: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (context.deadlineAt <= Date.now()) throw deadlinePassed();
    const timer = setTimeout(() => reject(deadlinePassed()), context.deadlineAt - Date.now());
    const answering = answer(request, context).then((answered) => {
      clearTimeout(timer);
      underway.delete(call);
      if ('reply' in answered) resolve(answered.reply);
      else reject(toServiceError(answered.failure));
    });
    const call: Underway = {
      answering,
      cut: () => {
        clearTimeout(timer);
        reject(failed(status.UNAVAILABLE, 'the server stopped'));
      },
    };
    underway.add(call);
  });
}

/** A call's failure that no service answered. */
export const failed = (code: status, details: string): ServiceError =>
  toServiceError({ code, details, metadata: new Metadata() });

const deadlinePassed = (): ServiceError => failed(status.DEADLINE_EXCEEDED, 'the deadline passed');

const toServiceError = (failure: Omit<Failure, 'name'>): ServiceError =>
  Object.assign(new Error(failure.details), failure, { name: 'Error' });
