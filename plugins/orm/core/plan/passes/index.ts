import type { OptimizerPass } from '../optimizer.js';
import { canonicalOrdering } from './canonical-ordering.js';
import { constantFolding } from './constant-folding.js';
import { duplicatePredicateRemoval } from './duplicate-predicate-removal.js';
import { joinOptimization } from './join-optimization.js';
import { limitOptimization } from './limit-optimization.js';
import { orderByOptimization } from './order-by-optimization.js';
import { predicateSimplification } from './predicate-simplification.js';
import { projectionPruning } from './projection-pruning.js';

/** The default pipeline, in order. */
export const defaultPasses: readonly OptimizerPass[] = [
  predicateSimplification,
  constantFolding,
  duplicatePredicateRemoval,
  joinOptimization,
  projectionPruning,
  orderByOptimization,
  limitOptimization,
  canonicalOrdering,
];
