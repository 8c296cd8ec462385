import { maskedPath } from '../recorded/index.js';

/** Facts about an operation of a document, without its schemas. */
export interface OperationFacts {
  /** Upper-case. */
  readonly method: string;
  /** Shapes of its path: as in the document, then with the paths of the servers in front (OpenAPI 3.1, section 4.8.5). */
  readonly paths: readonly [string, ...string[]];
  /** Statuses that it answers with: `200`, `4XX`, `default`. */
  readonly statuses: readonly string[];
}

/** A parameter of a route, however it is named: `:id`, `*rest`, `{id}`. */
const PARAMETER = /^(?::|\*|\{[^{}]*\}$)/;

/** What stands for a segment that is not recorded. */
const MASKED = '*';
/** Instead of an operation, when a path fits several ones because a part of it was not recorded. */
export const SEVERAL = 'several';

/** Cached lookups of requests. */
const MAX_REMEMBERED = 2_000;
/** Most path templates, and longest template that concrete paths are compared with. */
const MAX_PATHS = 20_000;
const MAX_TEMPLATE = 1_000;

/** Name under which the thread knows an operation. */
export function nameOf({ method, paths }: Pick<OperationFacts, 'method' | 'paths'>): string {
  return `${method} ${paths[0]}`;
}

/** Routes are compared by their shape: parameters may be named differently. */
export function shapeOf(route: string): string {
  const segments = route.split('/').map((segment) => (PARAMETER.test(segment) ? '{}' : segment));
  // A slash at the end does not count. One pass finds the last segment; a regular expression might need more.
  const end = segments.findLastIndex((segment) => segment !== '');
  return segments.slice(0, Math.max(end, 1) + 1).join('/');
}

interface Template {
  readonly segments: readonly string[];
  /** The segments as a path without a route is recorded: `*` for what may be an id, such as `v71` or `{id}`. */
  readonly recorded: readonly string[];
  readonly facts: OperationFacts;
}

/** The operations of a document, found by the route of a request, or by its path if the service does not report routes. */
export class Operations {
  /** By method and shape. */
  readonly #exact = new Map<string, OperationFacts>();
  /** By method and number of segments. */
  readonly #templates = new Map<string, Template[]>();
  readonly #methods: ReadonlySet<string>;
  readonly #remembered = new Map<string, OperationFacts | typeof SEVERAL | undefined>();

  constructor(operations: readonly OperationFacts[]) {
    this.#methods = new Set(operations.map(({ method }) => method));
    // Paths with a server's prefix first, because requests have these; a path without one may mean another operation.
    for (const facts of operations) for (const path of facts.paths.slice(1)) this.#add(path, facts);
    for (const facts of operations) this.#add(facts.paths[0], facts);
  }

  /** @returns undefined when the document does not describe it; {@link SEVERAL} when a masked path may be any of several */
  find(method: string, route: string): OperationFacts | typeof SEVERAL | undefined {
    const asked = `${method} ${route}`;
    if (this.#remembered.has(asked)) return this.#remembered.get(asked);
    const found = this.#found(method.toUpperCase(), route);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(asked, found);
    return found;
  }

  /** Methods that the document has for a route, sorted. */
  methodsOf(route: string): readonly string[] {
    return [...this.#methods].filter((method) => this.#found(method, route) !== undefined).sort();
  }

  #add(path: string, facts: OperationFacts): void {
    const name = `${facts.method} ${path}`;
    if (this.#exact.has(name) || this.#exact.size >= MAX_PATHS) return;
    this.#exact.set(name, facts);
    const recorded = maskedPath(path).split('/');
    if (!recorded.includes(MASKED) || path.length > MAX_TEMPLATE) return;
    const segments = path.split('/');
    const key = `${facts.method} ${segments.length}`;
    const known = this.#templates.get(key);
    if (known) known.push({ segments, recorded, facts });
    else this.#templates.set(key, [{ segments, recorded, facts }]);
  }

  #found(method: string, route: string): OperationFacts | typeof SEVERAL | undefined {
    const exact = this.#exact.get(`${method} ${shapeOf(route)}`);
    if (exact !== undefined) return exact;
    // An operation for GET answers HEAD too (RFC 9110, section 9.3.2).
    if (method === 'HEAD') return this.#found('GET', route);
    const segments = route.split('/');
    const fitting = (this.#templates.get(`${method} ${segments.length}`) ?? []).filter((each) => fits(each, segments));
    const [best, next] = fitting.sort((a, b) => byPrecision(a, b, segments));
    const isUnclear = best && next && segments.includes(MASKED) && byPrecision(best, next, segments) === 0;
    return isUnclear ? SEVERAL : best?.facts;
  }
}

function fits({ segments, recorded }: Template, given: readonly string[]): boolean {
  return segments.every((segment, index) =>
    given[index] === MASKED ? recorded[index] === MASKED : isFilled(segment, given[index] as string),
  );
}

// Whether a segment fits a template such as `{name}.json` or `{id}:activate`: the texts between the parameters in their order.
function isFilled(template: string, segment: string): boolean {
  if (!template.includes('{')) return template === segment;
  const [head = '', ...rest] = template.split(/\{[^}]*\}/);
  const tail = rest.pop() ?? '';
  if (!segment.startsWith(head) || !segment.endsWith(tail) || segment.length <= head.length + tail.length) return false;
  let from = head.length;
  for (const literal of rest) {
    const at = segment.indexOf(literal, from);
    if (at < 0) return false;
    from = at + literal.length;
  }
  return from <= segment.length - tail.length;
}

// OpenAPI 3.1, section 4.8.8.1: concrete paths are matched before templated ones. What was masked is rather an id.
function byPrecision(a: Template, b: Template, given: readonly string[]): number {
  for (const [index, segment] of a.segments.entries()) {
    const difference = parametersIn(segment) - parametersIn(b.segments[index] as string);
    if (difference !== 0) return given[index] === MASKED ? -difference : difference;
  }
  return 0;
}

// A parameter with text around it is more specific than one alone.
function parametersIn(segment: string): number {
  if (!segment.includes('{')) return 0;
  return PARAMETER.test(segment) ? 2 : 1;
}

/** The key of a status among those of an operation: itself, its class (`4XX`), or the default one. */
export function statusKey(statuses: readonly string[], status: number): string | undefined {
  const family = `${Math.floor(status / 100)}XX`;
  const wanted = [String(status), family, family.toLowerCase(), 'default'];
  return wanted.find((each) => statuses.includes(each));
}
