import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../dialect/kinds.js';
import { ORM_ERRORS } from '../errors.js';
import type { Condition } from '../expression/expression.js';

/** What a preload may be told (SPEC "ORM operations", `Preload`). */
export interface PreloadOptions {
  /** Which related rows; several are ANDed. */
  readonly where?: readonly Condition[];
  /** At most so many related rows per parent. */
  readonly limit?: number;
  /** One WHERE IN query per level, which is what preloading always does here. */
  readonly batch?: boolean;
}

/** Only related rows that meet a condition. */
export const withPreloadWhere = (condition: Condition): PreloadOptions => ({ where: [condition] });

/** At most `count` related rows per parent. */
export function withPreloadLimit(count: number): PreloadOptions {
  if (Number.isSafeInteger(count) && count >= 0) return { limit: count };
  throw fwError(ORM_ERRORS.FW_ORM_NUMBER, { what: 'withPreloadLimit', least: 0, got: typeInWords(count) });
}

/** One WHERE IN query for all parents. */
export const withBatchPreload = (): PreloadOptions => ({ batch: true });

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

function joined(before: PreloadOptions, { where = [], limit, batch }: PreloadOptions): PreloadOptions {
  const limits = [before.limit, limit].filter((each) => each !== undefined);
  return {
    where: [...(before.where ?? []), ...where],
    batch: before.batch || batch || false,
    ...(limits.length > 0 && { limit: Math.min(...limits) }),
  };
}
