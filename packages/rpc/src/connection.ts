import {
  connectivityState,
  type Client as GrpcClient,
  type ServiceError,
  status,
} from '@grpc/grpc-js';

/** Longer than a channel rests between two tries to connect, `grpc.max_reconnect_backoff_ms` and its jitter. */
const CONNECT_MS_MAX = 3_000;

/** What the load balancers of grpc-js answer instead of choosing a server: the request never left. */
const NO_CONNECTION = /^(round_robin: )?No connection established/;

/** Whether a server of a target is connected, as its channel sees it. */
export interface Connection {
  /** No server is connected and one is looked for. Neither where nothing was asked yet, nor where a server says no. */
  isSought(): boolean;
  /** Resolves with true when a server is connected, and with false when the channel is closed before. */
  found(): Promise<boolean>;
}

export function connectionOf(channel: GrpcClient): Connection {
  return {
    isSought: () =>
      [connectivityState.CONNECTING, connectivityState.TRANSIENT_FAILURE].includes(
        channel.getChannel().getConnectivityState(false),
      ),
    found: () => untilConnected(channel, Number.POSITIVE_INFINITY),
  };
}

/**
 * Makes a call, and where no server of the target is connected makes it again once one is, for a while and not beyond
 * `deadline` (epoch milliseconds). While replicas are restarted one after the other there are moments like that: the
 * first is back and the channel has not noticed when the next one goes.
 */
export async function whenConnected<T>(
  channel: GrpcClient,
  deadline: number,
  call: () => Promise<T>,
): Promise<T> {
  const patientUntil = Math.min(Date.now() + CONNECT_MS_MAX, deadline);
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!wasNeverSent(error as ServiceError) || Date.now() >= patientUntil) throw error;
    }
    await untilConnected(channel, patientUntil);
  }
}

function wasNeverSent({ code, details }: ServiceError): boolean {
  return code === status.UNAVAILABLE && NO_CONNECTION.test(details);
}

/** Resolves with true when a server is connected, and with false at `until` or when the channel is closed before. */
function untilConnected(channel: GrpcClient, until: number): Promise<boolean> {
  return new Promise((resolve) => channel.waitForReady(until, (error) => resolve(!error)));
}
