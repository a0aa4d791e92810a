import {
  context,
  propagation,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export { SpanKind } from '@opentelemetry/api';

let enabled = false;

/**
 * Sends traces to an OTLP collector. Off unless called: the SDK costs about half of the throughput
 * of a small route, so it is loaded only by those who ask for it.
 */
export async function startTracing(
  service: string,
  endpoint: string,
): Promise<() => Promise<void>> {
  if (enabled) return async () => undefined;
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const sdk = new NodeSDK({
    serviceName: service,
    traceExporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
    instrumentations: [],
  });
  sdk.start();
  enabled = true;
  return async () => {
    enabled = false;
    await sdk.shutdown();
  };
}

/** Runs `work` inside a span that continues `traceparent`; just runs it while tracing is off. */
export async function inSpan<T>(
  name: string,
  options: {
    kind: SpanKind;
    traceparent?: string | undefined;
    attributes?: Record<string, string>;
  },
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  if (!enabled) return work(options.traceparent);
  const parent = options.traceparent
    ? propagation.extract(context.active(), { traceparent: options.traceparent })
    : context.active();
  const spanOptions = { kind: options.kind, attributes: options.attributes ?? {} };
  return trace.getTracer('laurel').startActiveSpan(name, spanOptions, parent, async (span) => {
    try {
      return await work(traceparentOf(span));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
      throw error;
    } finally {
      span.end();
    }
  });
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
