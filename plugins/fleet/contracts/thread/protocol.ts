import type { Direction, Violation } from '../../../../kernel/contracts/fleet-wire.js';
import type { OperationFacts } from '../operations.js';

/** What is wrong with a body. */
export type PayloadProblem = Pick<Violation, 'path' | 'rule' | 'expected' | 'observed' | 'severity'>;

/** Whose body is checked against what. */
export interface BodyCheck {
  readonly document: number;
  readonly direction: Direction;
  /** Name of the operation, as `nameOf` gives it. */
  readonly operation: string;
  readonly status: number;
  /** Of the body, without parameters; undefined where the span does not tell. */
  readonly mediaType: string | undefined;
  /** JSON text of the body. */
  readonly text: string;
}

/** Work for the thread: to read a document, or to check a body. */
export type Task = { readonly read: number } | BodyCheck;

/** What came of a task. */
export type Outcome =
  | { readonly operations: readonly OperationFacts[] }
  | { readonly problems: readonly PayloadProblem[] }
  /** Why nothing came of it. */
  | { readonly failure: string };

/** One message to the thread. */
export interface Batch {
  /** Texts of documents that the thread has not seen, by number. */
  readonly documents: readonly (readonly [number: number, text: SharedArrayBuffer])[];
  /** Numbers of documents that nobody asks about any more. */
  readonly gone: readonly number[];
  readonly tasks: readonly Task[];
}

/** What the thread starts with. */
export interface ThreadData {
  /** Shared: how far the thread has come; see {@link PLACES}. */
  readonly progress: Int32Array;
}

/** Where in the shared progress what stands: the number of tasks begun, counted on, and whether a pattern runs. */
export const PLACES = { begun: 0, inPattern: 1, length: 2 } as const;
