/**
 * A receiver of OTLP over HTTP in JSON, which keeps what it is sent.
 */
import { serveHttp } from "../gateway/runtime_server.ts";

/** A span, as far as tests look at it. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
}

/** A number that was measured. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Of a histogram: how often. */
  readonly value: number;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface DataPoint {
  readonly attributes: readonly Attribute[];
  readonly asDouble?: number;
  readonly asInt?: string;
  readonly count?: number | string;
}

interface Export {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly sum?: { readonly dataPoints: readonly DataPoint[] };
        readonly gauge?: { readonly dataPoints: readonly DataPoint[] };
        readonly histogram?: { readonly dataPoints: readonly DataPoint[] };
      }[];
    }[];
  }[];
}

/** A receiver that listens. */
export interface Receiver extends AsyncDisposable {
  /** Environment of a program that is to export to it. */
  readonly env: Readonly<Record<string, string>>;
  /** All that came, as it came. */
  text(): string;
  spans(): readonly ReceivedSpan[];
  /** The last value of each measurement. */
  points(): readonly ReceivedPoint[];
}

/** Starts a receiver on an ephemeral port. */
export function startReceiver(): Receiver {
  const bodies: string[] = [];
  const server = serveHttp(async (request) => {
    bodies.push(await request.text());
    return Response.json({});
  });
  const exports = () => bodies.map((body): Export => JSON.parse(body));
  return {
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
      OTEL_METRIC_EXPORT_INTERVAL: "300",
      OTEL_BSP_SCHEDULE_DELAY: "100",
    },
    text: () => bodies.join("\n"),
    spans: () =>
      exports().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      ),
    points: () => lastPoints(exports()),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function lastPoints(exports: readonly Export[]): readonly ReceivedPoint[] {
  const points = new Map<string, ReceivedPoint>();
  for (const { resourceMetrics = [] } of exports) {
    for (const { scopeMetrics } of resourceMetrics) {
      for (
        const { name: metric, sum, gauge, histogram } of scopeMetrics.flatMap((s) => s.metrics)
      ) {
        for (const point of (sum ?? gauge ?? histogram)?.dataPoints ?? []) {
          const attributes = Object.fromEntries(
            point.attributes.map(({ key, value }) => [key, value.stringValue ?? ""]),
          );
          const value = Number(point.asDouble ?? point.asInt ?? point.count ?? NaN);
          points.set(`${metric} ${JSON.stringify(attributes)}`, { metric, attributes, value });
        }
      }
    }
  }
  return [...points.values()];
}
