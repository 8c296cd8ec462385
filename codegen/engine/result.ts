import type { SourceProblem } from './source-problem.js';
import type { Staleness } from './output-plan.js';

/** What a run of code generation did, or found. Paths are relative to the project, with forward slashes. */
export interface CodegenResult {
  /** True when there are no problems and, for a check, nothing is stale. */
  readonly ok: boolean;
  readonly root: string;
  readonly outDir: string;
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  /** Files that nothing generates any more; deleted. */
  readonly removed: readonly string[];
  /** For a check: what a run would change. Empty otherwise. */
  readonly stale: readonly { readonly path: string; readonly reason: Staleness }[];
  /** Mistakes in the sources. When there are any, nothing was written. */
  readonly problems: readonly SourceProblem[];
  /** Things worth knowing that are no mistakes. */
  readonly notes: readonly string[];
  /** Whether the inputs and outputs were those of the last run, so that nothing had to be parsed. */
  readonly skipped: boolean;
  /** Milliseconds. */
  readonly ms: number;
}
