import type { SpanBatch } from '../../../kernel/contracts/fleet.js';
import type { FinishedSpan } from './finished-span.js';
import { millisecondsText, nanosecondsText } from './trace-clock.js';

/** Routes, callers and header lists that are remembered in their JSON form. */
const MEMORY = 512;
/** Header names of one span. */
const MAX_HEADER_NAMES = 64;

/**
 * Writes spans as JSON. By hand, because the shape is known: half the time of `JSON.stringify` on an object made for it.
 */
export class SpanEncoder {
  readonly #service: string;
  /** By route, then by method, then by status. */
  readonly #operations = new Map<string, Map<string, string[]>>();
  readonly #headers = new Map<string, string>();
  #lastNames: readonly string[] = [];
  #lastHeaders = ',"header_names":[]';
  readonly #callers = new Map<string, string>();

  constructor(service: string) {
    this.#service = JSON.stringify(service);
  }

  /** A batch whose text is made when a transport asks for it, once. */
  batch(spans: readonly FinishedSpan[]): SpanBatch {
    let text: string | undefined;
    return {
      count: spans.length,
      text: () => (text ??= this.#array(spans)),
      byTrace: () => this.#byTrace(spans),
    };
  }

  encode(span: FinishedSpan): string {
    const parent = span.parentId === undefined ? '' : `","parent_span_id":"${span.parentId}`;
    return (
      `{"trace_id":"${span.traceId}","span_id":"${span.spanId}${parent}${this.#operation(span)}` +
      `${nanosecondsText(span.startMs)}","duration_ms":${millisecondsText(span.durationMs)}` +
      (span.kind === 'server' ? '' : `,"kind":"${span.kind}"`) +
      (span.caller === undefined ? '' : `,"caller":${this.#caller(span.caller)}`) +
      (span.error === undefined ? '' : `,"error":${JSON.stringify(span.error)}`) +
      (span.tags === undefined ? '' : `,"tags":${JSON.stringify(Object.fromEntries(span.tags))}`) +
      (span.headers === undefined ? '' : this.#headerNames(span.headers)) +
      `${span.extra}}`
    );
  }

  #array(spans: readonly FinishedSpan[]): string {
    let text = '[';
    for (const span of spans) text += text.length === 1 ? this.encode(span) : `,${this.encode(span)}`;
    return `${text}]`;
  }

  #byTrace(spans: readonly FinishedSpan[]) {
    const groups = new Map<string, FinishedSpan[]>();
    for (const span of spans) {
      const group = groups.get(span.traceId);
      if (group) group.push(span);
      else groups.set(span.traceId, [span]);
    }
    return [...groups].map(([traceId, group]) => ({ traceId, text: this.#array(group) }));
  }

  // Services see few header combinations, and mostly the same one again: the sorted list is made once for each.
  #headerNames(headers: object): string {
    const names = Object.keys(headers);
    if (!areEqual(names, this.#lastNames)) {
      this.#lastNames = names;
      this.#lastHeaders = remembered(this.#headers, names.join(), () => {
        const listed = names.map((name) => name.toLowerCase()).sort();
        return `,"header_names":${JSON.stringify(listed.slice(0, MAX_HEADER_NAMES))}`;
      });
    }
    return this.#lastHeaders;
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

  // Service, route, method and status of a span are those of many: their text is made once.
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
  // Paths without a route pattern could be endless; starting over is cheaper than remembering which one was used last.
  if (memory.size >= MEMORY) memory.clear();
  memory.set(key, made);
  return made;
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
