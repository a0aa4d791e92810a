import type { ClientReadableStream, Client as GrpcClient, ServiceError } from '@grpc/grpc-js';
import { currentContext } from '@laurel/lifecycle';
import type { MessageCodec } from './codec';
import { isUnknown, SERVERS_ASKED, toError } from './failures';
import { contextToMetadata } from './metadata';

interface Streamed {
  channel: GrpcClient;
  path: string;
  names: { service: string };
  request: MessageCodec;
  reply: MessageCodec;
}

/** A stream may last for as long as it has something to say, so that it has no deadline but where its caller names one. */
export interface Beginning {
  /** The first message must be there by then, or the stream ends as one of a service that is not available. */
  withinMs: number;
}

/**
 * What a server streams, of the first that knows the rpc: one of the release before has sent nothing. Fails as a call does,
 * and ends the stream where its reader does.
 */
export async function* readStream(
  wire: Streamed,
  message: unknown,
  begin?: Beginning,
): AsyncIterable<unknown> {
  for (let asked = 1; ; asked += 1) {
    try {
      return yield* readOnce(wire, message, begin);
    } catch (error) {
      const failure = error as ServiceError;
      if (!isUnknown(failure) || asked === SERVERS_ASKED)
        throw toError(failure, wire.names.service);
    }
  }
}

/** Fails with a `ServiceError`. */
async function* readOnce(
  { channel, path, request, reply }: Streamed,
  message: unknown,
  begin: Beginning | undefined,
): AsyncGenerator<unknown, void> {
  const stream: ClientReadableStream<unknown> = channel.makeServerStreamRequest(
    path,
    request.encode,
    reply.decode,
    message,
    contextToMetadata(currentContext()),
    {},
  );
  const timer = begin && setTimeout(() => stream.cancel(), begin.withinMs);
  try {
    for await (const piece of stream) {
      clearTimeout(timer);
      yield piece;
    }
  } finally {
    clearTimeout(timer);
    stream.cancel();
  }
}
