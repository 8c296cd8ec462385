import { fwError, type HttpMethod } from '../../kernel/index.js';
import type { CallPlace } from './call-place.js';
import { HTTP_ERRORS } from './errors.js';
import { type PathPattern, shapeOf } from './path-pattern.js';
import { decodedSegments } from './request-path.js';

/** A route of the table. */
interface TableRoute {
  readonly method: HttpMethod;
  readonly pattern: PathPattern;
  /** Module that registered it, for errors. */
  readonly module: string;
  /** Place in the sources. */
  readonly place?: CallPlace | undefined;
}

/** A route with the values of its parameters. */
export interface Match<Route> {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Leaf<Route> {
  readonly route: Route;
  /** Position in the order of registration: the lowest wins. */
  readonly rank: number;
  readonly params: readonly Param[];
}

/** Position of a parameter's value. */
interface Param {
  readonly name: string;
  /** Position of its segment. */
  readonly depth: number;
  /** Whether all segments from there on are its value. */
  readonly isRest: boolean;
}

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>;
  param?: Node<Route>;
  /** Route that ends here. */
  end?: Leaf<Route>;
  /** Route whose wildcard begins here. */
  rest?: Leaf<Route>;
  /** Lowest rank below, so that a search can skip branches that cannot win. */
  lowest: number;
}

interface MethodTable<Route> {
  readonly exact: Map<string, Match<Route>>;
  readonly root: Node<Route>;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Routes by method: a map of the paths without parameters, and a tree of segments for the rest. Filled once, at boot. Of
 * several routes that match, the one registered first wins, also between a literal and a parameter.
 */
export class RouteTable<Route extends TableRoute> {
  readonly #methods = new Map<string, MethodTable<Route>>();
  readonly #shapes = new Map<string, Route>();
  readonly #shadowed: { readonly route: Route; readonly by: Route }[] = [];
  #count = 0;

  /** Routes that can never answer, because an earlier one matches all their paths. */
  get shadowed(): readonly { readonly route: Route; readonly by: Route }[] {
    return this.#shadowed;
  }

  /**
   * Adds a route.
   * @throws FwError `FW_HTTP_ROUTE_TWICE` when one with the same method and shape is there
   */
  add(route: Route): void {
    this.#refuseDuplicate(route);
    const table = this.#tableOf(route.method);
    const { segments, text } = route.pattern;
    const literal = segments.every(({ kind }) => kind === 'literal');
    if (literal) {
      const earlier = search(table.root, decodedSegments(text))?.route;
      if (earlier) this.#shadowed.push({ route, by: earlier });
      else table.exact.set(text, { route, params: NO_PARAMS });
    }
    insert(table.root, route, this.#count++);
  }

  /**
   * The route that answers a path.
   * @param path - from `requestPath`
   */
  find(method: string, path: string): Match<Route> | undefined {
    const table = this.#methods.get(method);
    if (table === undefined) return undefined;
    return table.exact.get(path) ?? search(table.root, decodedSegments(path));
  }

  /** Methods that some route of the path answers, HEAD and OPTIONS included; empty when no route matches. */
  allowed(path: string): readonly string[] {
    const found = [...this.#methods.keys()].filter((method) => this.find(method, path) !== undefined);
    if (found.length === 0) return [];
    return [...new Set([...found, ...(found.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
  }

  #refuseDuplicate(route: Route): void {
    const key = `${route.method} ${shapeOf(route.pattern)}`;
    const first = this.#shapes.get(key);
    if (first === undefined) {
      this.#shapes.set(key, route);
      return;
    }
    throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_TWICE, {
      method: route.method,
      first: first.pattern.text,
      firstModule: whereOf(first),
      second: route.pattern.text,
      secondModule: whereOf(route),
    });
  }

  #tableOf(method: HttpMethod): MethodTable<Route> {
    const known = this.#methods.get(method);
    if (known) return known;
    const made: MethodTable<Route> = { exact: new Map(), root: emptyNode() };
    this.#methods.set(method, made);
    return made;
  }
}

function whereOf({ module, place }: TableRoute): string {
  const at = place?.();
  return at === undefined ? module : `${module} (${at})`;
}

function emptyNode<Route>(): Node<Route> {
  return { literals: new Map(), lowest: Infinity };
}

function insert<Route extends TableRoute>(root: Node<Route>, route: Route, rank: number): void {
  const { segments } = route.pattern;
  const params = segments.flatMap((segment, depth) =>
    segment.kind === 'literal' ? [] : [{ name: segment.name, depth, isRest: segment.kind === 'wildcard' }],
  );
  const leaf: Leaf<Route> = { route, rank, params };
  let node = root;
  node.lowest = Math.min(node.lowest, rank);
  for (const segment of segments) {
    if (segment.kind === 'wildcard') {
      node.rest = leaf;
      return;
    }
    node = segment.kind === 'param' ? (node.param ??= emptyNode()) : childOf(node, segment.text);
    node.lowest = Math.min(node.lowest, rank);
  }
  node.end = leaf;
}

function childOf<Route>(node: Node<Route>, text: string): Node<Route> {
  // A literal may be percent-encoded or not; requests in either spelling have to find it.
  const key = decodedSegments(`/${text}`)[0] as string;
  const known = node.literals.get(key);
  if (known) return known;
  const made = emptyNode<Route>();
  node.literals.set(key, made);
  return made;
}

function search<Route>(root: Node<Route>, segments: readonly string[]): Match<Route> | undefined {
  const leaf = walk(root, segments, 0, undefined);
  return leaf && { route: leaf.route, params: paramsOf(leaf.params, segments) };
}

function paramsOf(params: readonly Param[], segments: readonly string[]): Readonly<Record<string, string>> {
  if (params.length === 0) return NO_PARAMS;
  const values: Record<string, string> = {};
  for (const { name, depth, isRest } of params) {
    values[name] = isRest ? segments.slice(depth).join('/') : (segments[depth] as string);
  }
  return values;
}

function walk<Route>(
  node: Node<Route>,
  segments: readonly string[],
  depth: number,
  best: Leaf<Route> | undefined,
): Leaf<Route> | undefined {
  if (best !== undefined && node.lowest > best.rank) return best;
  let found = earlier(node.rest, best);
  if (depth === segments.length) return earlier(node.end, found);
  const segment = segments[depth] as string;
  const literal = node.literals.get(segment);
  if (literal !== undefined) found = walk(literal, segments, depth + 1, found);
  if (node.param !== undefined && segment !== '') found = walk(node.param, segments, depth + 1, found);
  return found;
}

function earlier<Route>(leaf: Leaf<Route> | undefined, found: Leaf<Route> | undefined): Leaf<Route> | undefined {
  return leaf !== undefined && (found === undefined || leaf.rank < found.rank) ? leaf : found;
}
