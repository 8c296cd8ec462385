import type { LogicalPlan } from './logical.js';

/** One stage of the optimizer. Pure and deterministic; it sees structure only, since plans hold no values. */
export interface OptimizerPass {
  readonly name: string;
  apply(plan: LogicalPlan): LogicalPlan;
}
