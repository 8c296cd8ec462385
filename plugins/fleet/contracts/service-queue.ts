import { mostBy } from '../../../kernel/values/index.js';
import type { CheckedSpan } from './contract-checker.js';

/** Spans that wait for their check, by service: a service with many spans does not delay others. */
export class ServiceQueue {
  /** In the order of their turns. */
  readonly #byService = new Map<string, CheckedSpan[]>();
  #size = 0;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.#size;
  }

  /** @returns the span that was dropped: the oldest of the service with the most */
  add(span: CheckedSpan): CheckedSpan | undefined {
    const spans = this.#byService.get(span.callee);
    if (spans === undefined) this.#byService.set(span.callee, [span]);
    else spans.push(span);
    this.#size++;
    return this.#size > this.limit ? this.#dropped() : undefined;
  }

  /** The next spans: one of each service in turn. */
  take(count: number): readonly CheckedSpan[] {
    const taken: CheckedSpan[] = [];
    while (taken.length < count) {
      const [next] = this.#byService;
      if (next === undefined) break;
      const [service, spans] = next;
      taken.push(this.#shift(spans));
      // Moves the service behind the others.
      this.#byService.delete(service);
      if (spans.length > 0) this.#byService.set(service, spans);
    }
    return taken;
  }

  /** Takes every span out, when checking ends. */
  clear(): void {
    this.#byService.clear();
    this.#size = 0;
  }

  #dropped(): CheckedSpan {
    const [service, spans] = mostBy(this.#byService, ([, { length }]) => length) as [string, CheckedSpan[]];
    const oldest = this.#shift(spans);
    if (spans.length === 0) this.#byService.delete(service);
    return oldest;
  }

  // A service without spans has no entry.
  #shift(spans: CheckedSpan[]): CheckedSpan {
    this.#size--;
    return spans.shift() as CheckedSpan;
  }
}
