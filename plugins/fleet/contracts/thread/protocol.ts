import type { Direction, Violation } from '../../../../kernel/contracts/fleet-wire.js';
import type { OperationFacts } from '../operations.js';

/** A violation of a body. */
export type PayloadProblem = Pick<Violation, 'path' | 'rule' | 'expected' | 'observed' | 'severity'>;

/** A body to check, and its operation. */
export interface BodyCheck {
  readonly document: number;
  readonly direction: Direction;
  /** Name of the operation, as `nameOf` gives it. */
  readonly operation: string;
  readonly status: number;
  /** Of the body, without parameters; undefined where the span does not tell. */
  readonly mediaType: string | undefined;
  /** JSON text of the body; undefined where it is not recorded, so that only its media type is compared. */
  readonly text: string | undefined;
}

/** Work for the thread: to read a document, or to check a body. */
export type Task = { readonly read: number } | BodyCheck;

/** Outcome of a task. */
export type Outcome =
  | { readonly operations: readonly OperationFacts[] }
  | { readonly problems: readonly PayloadProblem[] }
  /** Why the task failed. */
  | { readonly failure: string };

/** One message to the thread. */
export interface Batch {
  /** Texts of documents that the thread has not seen, by number. */
  readonly documents: readonly (readonly [number: number, text: SharedArrayBuffer])[];
  /** Numbers of documents that are no longer needed. */
  readonly gone: readonly number[];
  readonly tasks: readonly Task[];
}

/** Start data of the thread. */
export interface ThreadData {
  /** Shared progress of the thread; see {@link PLACES}. */
  readonly progress: Int32Array;
}

/** Indices of the shared progress: the total number of started tasks, and whether a pattern is being matched. */
export const PLACES = { begun: 0, inPattern: 1, length: 2 } as const;
