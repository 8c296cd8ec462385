import type { SpanBatch } from '../../../kernel/contracts/fleet.js';
import { grouped } from '../../../kernel/values/index.js';
import type { FinishedSpan } from './finished-span.js';
import { JoinedText } from './joined-text.js';
import { millisecondsText, nanosecondsText } from './trace-clock.js';

/** Routes and callers that are remembered in their JSON form. */
const MEMORY = 512;

/** Writes spans as JSON. Without `JSON.stringify`, because the shape is known: that takes half the time. */
export class SpanEncoder {
  readonly #service: string;
  /** By route, then by method, then by status. */
  readonly #operations = new Map<string, Map<string, string[]>>();
  readonly #headers = new WeakMap<readonly string[], string>();
  readonly #callers = new Map<string, string>();
  readonly #text = new JoinedText();

  constructor(service: string) {
    this.#service = JSON.stringify(service);
  }

  /** A batch whose text is made once, when a transport needs it. */
  batch(spans: readonly FinishedSpan[]): SpanBatch {
    let text: string | undefined;
    return {
      count: spans.length,
      text: () => (text ??= this.#array(spans)),
      byTrace: () => this.#byTrace(spans),
    };
  }

  #array(spans: readonly FinishedSpan[]): string {
    const text = this.#text;
    let before = '[{"trace_id":"';
    for (const span of spans) {
      text.add(before);
      this.#write(span);
      before = ',{"trace_id":"';
    }
    text.add(spans.length === 0 ? '[]' : ']');
    return text.take();
  }

  // Everything after the name of the trace's id.
  #write(span: FinishedSpan): void {
    const text = this.#text;
    text.add(span.traceId);
    text.add('","span_id":"');
    text.add(span.spanId);
    if (span.parentId !== undefined) {
      text.add('","parent_span_id":"');
      text.add(span.parentId);
    }
    text.add(this.#operation(span));
    text.add(nanosecondsText(span.startMs));
    text.add('","duration_ms":');
    text.add(millisecondsText(span.durationMs));
    if (span.kind !== 'server') text.add(`,"kind":"${span.kind}"`);
    if (span.caller !== undefined) text.add(`,"caller":${this.#caller(span.caller)}`);
    if (span.error !== undefined) text.add(`,"error":${JSON.stringify(span.error)}`);
    if (span.tags !== undefined) text.add(`,"tags":${JSON.stringify(Object.fromEntries(span.tags))}`);
    if (span.headerNames !== undefined) text.add(this.#headerNames(span.headerNames));
    if (span.extra !== '') text.add(span.extra);
    text.add('}');
  }

  #byTrace(spans: readonly FinishedSpan[]) {
    return [...grouped(spans, ({ traceId }) => traceId)].map(([traceId, group]) => ({
      traceId,
      text: this.#array(group),
    }));
  }

  // Spans share the lists, so that each is written once.
  #headerNames(names: readonly string[]): string {
    const known = this.#headers.get(names) ?? `,"header_names":${JSON.stringify(names)}`;
    this.#headers.set(names, known);
    return known;
  }

  // Service names travel percent-encoded, because headers are ASCII.
  #caller(name: string): string {
    return remembered(this.#callers, name, () => {
      try {
        return JSON.stringify(decodeURIComponent(name));
      } catch {
        return JSON.stringify(name);
      }
    });
  }

  // Many spans share service, route, method and status, so their text is cached.
  #operation({ route, method, status }: FinishedSpan): string {
    const methods = remembered(this.#operations, route, () => new Map<string, string[]>());
    const texts = remembered(methods, method, (): string[] => []);
    return (texts[status] ??=
      `","service":${this.#service},"route":${JSON.stringify(route)},"method":${JSON.stringify(method)}` +
      `,"status":${status},"start_ns":"`);
  }
}

function remembered<Value>(memory: Map<string, Value>, key: string, make: () => Value): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  // There may be any number of paths without a route pattern; starting over is cheaper than tracking their use.
  if (memory.size >= MEMORY) memory.clear();
  memory.set(key, made);
  return made;
}
