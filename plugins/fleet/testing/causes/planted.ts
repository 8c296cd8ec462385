/** One planted failure: its spans, and the expected cause. */
export interface Planted {
  readonly name: string;
  /**
   * The spans, one per line, indented below their parents:
   *
   *     [#name] [~]kind who METHOD what from-to status [error]
   *
   * `kind` is that of the span. `who` is the service of a server, consumer or internal span; the host, database or broker that a client,
   * query, event or producer span speaks to, whose service is that of the span above; an internal span that `CONNECT`s has its target last. Times are milliseconds; `-` stands for no status, `~`
   * for a span that never arrived, and `@name` before the kind for a span whose trace goes on from the span of that name.
   */
  readonly happened: string;
  /**
   * The span that is the cause, by its name; several if each is a correct answer. `none` if nothing failed, `unknown` if the spans that
   * arrived do not show it.
   */
  readonly cause: string | readonly string[];
  /** Failures that have a cause of their own. */
  readonly independent?: readonly string[];
  /** Failures that are consequences. */
  readonly derived?: readonly string[];
  /** Words of the summary or of the evidence. */
  readonly says?: string;
  /** Milliseconds by which the clock of a service is wrong. */
  readonly skew?: Readonly<Record<string, number>>;
  /** False where the trace was not sampled: only its failures arrived. */
  readonly sampled?: boolean;
  /** Nothing failed; the expected cause is the slowest part. */
  readonly slow?: boolean;
}
