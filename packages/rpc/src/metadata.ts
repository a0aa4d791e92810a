import { Metadata } from '@grpc/grpc-js';
import { decodeRefusal, type EncodedRefusal, encodeRefusal, type Refusal } from '@laurel/errors';
import { type Context, sandboxAheadMs, systemContext } from '@laurel/lifecycle';

const CONTEXT_KEY = 'laurel-context-bin';
const REFUSAL_KEY = 'laurel-refusal-bin';
/** Says that the answering service itself cannot work at the moment, whatever it is asked. */
const AWAY_KEY = 'laurel-away';

/** Context as metadata. The deadline travels by gRPC's own means, shrinking at each hop. */
export function contextToMetadata({
  deadlineAt: _deadlineAt,
  condition: _condition,
  ...context
}: Context): Metadata {
  const metadata = new Metadata();
  const ahead = sandboxAheadMs(context.workspaceId);
  const sent =
    ahead === undefined
      ? context
      : { ...context, sandboxAheadMs: Math.max(ahead, context.sandboxAheadMs ?? 0) };
  metadata.set(CONTEXT_KEY, Buffer.from(JSON.stringify(sent)));
  return metadata;
}

export function contextFromMetadata(metadata: Metadata, deadlineAt: number | undefined): Context {
  const [encoded] = metadata.get(CONTEXT_KEY);
  const sent = encoded === undefined ? {} : (JSON.parse(encoded.toString()) as Partial<Context>);
  return systemContext({ ...sent, ...(deadlineAt === undefined ? {} : { deadlineAt }) });
}

export function refusalToMetadata(refusal: Refusal, isAway = false): Metadata {
  const metadata = new Metadata();
  if (isAway) metadata.set(AWAY_KEY, '1');
  metadata.set(REFUSAL_KEY, Buffer.from(JSON.stringify(encodeRefusal(refusal))));
  return metadata;
}

export function refusalFromMetadata(metadata: Metadata | undefined): Refusal | null {
  const [encoded] = metadata?.get(REFUSAL_KEY) ?? [];
  return encoded === undefined
    ? null
    : decodeRefusal(JSON.parse(encoded.toString()) as EncodedRefusal);
}

export function isAwayByMetadata(metadata: Metadata | undefined): boolean {
  return (metadata?.get(AWAY_KEY).length ?? 0) > 0;
}
