import type { Condition } from '../expression/expression.js';
import type { OrderExpression, OrderTerm } from '../expression/order.js';
import { wholeNumber } from '../plan/whole-number.js';
import { assertBoolean, assertList, assertObject, assertWhole } from '../session/checked-options.js';

/** What a preload may be told (SPEC "ORM operations", `Preload`). */
export interface PreloadOptions {
  /** Which related rows; several are ANDed. */
  readonly where?: readonly Condition[];
  /** At most so many related rows per parent. */
  readonly limit?: number;
  /** Order of the related rows of each parent, by columns of their model. */
  readonly order?: readonly (OrderTerm | OrderExpression)[];
  /** One WHERE IN query per level, which is what preloading always does here. */
  readonly batch?: boolean;
}

/** Only related rows that meet a condition. */
export const withPreloadWhere = (condition: Condition): PreloadOptions => ({ where: [condition] });

/** At most `count` related rows per parent. */
export const withPreloadLimit = (count: number): PreloadOptions => ({
  limit: wholeNumber('withPreloadLimit', count, 0),
});

/** Related rows of each parent in an order; with a limit, the first in it. */
export const withPreloadOrder = (...terms: readonly (OrderTerm | OrderExpression)[]): PreloadOptions => ({
  order: terms,
});

/** One WHERE IN query for all parents. */
export const withBatchPreload = (): PreloadOptions => ({ batch: true });

/**
 * One preload of a query, with all that was said about it.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
function preloadSpec(path: string, options: readonly PreloadOptions[]): PreloadSpec {
  for (const each of options) {
    assertObject('of the preload', each);
    assertWhole('limit', each.limit, 0);
    assertBoolean('batch', each.batch);
    if (each.where !== undefined) assertList('where', each.where);
    if (each.order !== undefined) assertList('order', each.order);
  }
  return options.reduce<PreloadSpec>(joined, { path });
}

/**
 * Preloads as a call names them: paths, each with the options that stand behind it.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function preloadSpecs(given: readonly (string | PreloadOptions)[]): readonly PreloadSpec[] {
  const starts = given.flatMap((each, at) => (typeof each === 'string' ? [at] : []));
  return starts.map((start, at) => {
    const [path, ...options] = given.slice(start, starts[at + 1]) as [string, ...PreloadOptions[]];
    return preloadSpec(path, options);
  });
}

/** One preload of a query: a dotted path; the options belong to its last segment. */
export interface PreloadSpec extends PreloadOptions {
  readonly path: string;
}

/** Relations to load below one model, by property. */
export type PreloadTree = ReadonlyMap<string, PreloadNode>;

export interface PreloadNode {
  readonly options: PreloadOptions;
  readonly children: PreloadTree;
}

/** Paths with shared beginnings as a tree, so that a relation is loaded once. */
export function preloadTree(specs: readonly PreloadSpec[]): PreloadTree {
  const root = new Map<string, { options: PreloadOptions; children: Map<string, never> }>();
  for (const spec of specs) {
    let level = root;
    const segments = spec.path.split('.');
    segments.forEach((segment, index) => {
      const node = level.get(segment) ?? { options: {}, children: new Map<string, never>() };
      if (index === segments.length - 1) node.options = joined(node.options, spec);
      level.set(segment, node);
      level = node.children as unknown as typeof root;
    });
  }
  return root;
}

function joined<Before extends PreloadOptions>(
  before: Before,
  { where = [], order = [], limit, batch }: PreloadOptions,
): Before {
  const limits = [before.limit, limit].filter((each) => each !== undefined);
  return {
    ...before,
    where: [...(before.where ?? []), ...where],
    order: [...(before.order ?? []), ...order],
    batch: before.batch || batch || false,
    ...(limits.length > 0 && { limit: Math.min(...limits) }),
  };
}
