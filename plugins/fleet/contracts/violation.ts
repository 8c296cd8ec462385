/** Which side of a call broke the contract. */
export type Direction = 'request' | 'response';

/** What a body broke, without any of its values. */
export interface Violation {
  readonly trace_id: string;
  readonly span_id: string;
  /** Empty when no traced service made the call. */
  readonly caller: string;
  readonly callee: string;
  readonly method: string;
  readonly route: string;
  readonly direction: Direction;
  /** JSON pointer into the body (RFC 6901); empty for the body itself. */
  readonly path: string;
  /** Keyword of the schema: `type`, `required`, `enum`, `additionalProperties`, or another one. */
  readonly rule: string;
  readonly expected: string;
  /** What was there, by type: `string`, `missing`, `unknown field`. Never a value. */
  readonly observed: string;
  /** `warning` for a member that the schema does not name and does not forbid. */
  readonly severity: 'error' | 'warning';
  /** Unix nanoseconds as decimal text. */
  readonly timestamp: string;
}

/** Equal violations, counted. */
export interface ViolationGroup extends Violation {
  readonly count: number;
  readonly first_seen: string;
  readonly last_seen: string;
}
