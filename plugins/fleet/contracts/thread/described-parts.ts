import { isObject } from '../../../../kernel/values/index.js';
import type { JsonObject } from '../json-object.js';

/** References and compositions that are followed from a schema. */
const MAX_HOPS = 8;

/** The part of a value that a schema describes: `.name` for a member, `[]` for the elements of a list. */
export type Part = `.${string}` | '[]';

export const ELEMENTS: Part = '[]';

export const memberPart = (name: string): Part => `.${name}`;

type Descriptions = ReadonlyMap<Part, ReadonlySet<JsonObject>>;

const NOTHING: Descriptions = new Map();

/** Keywords by which a schema names members of its own, or leads to such a schema. */
const NAMING = ['$ref', 'properties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', 'items'] as const;

/**
 * Finds what several schemas of an `allOf` describe: each has only some of the members of such a value, so that none of them alone can say
 * which are undeclared.
 */
export class DescribedParts {
  readonly #known = new WeakMap<JsonObject, Descriptions>();

  /** @param target - follows the `$ref` of a schema */
  constructor(private readonly target: (schema: JsonObject) => JsonObject) {}

  /** Parts of a schema's value that more than one of its conjuncts describes with members, with all their descriptions. */
  ofSeveral(schema: JsonObject): ReadonlyMap<Part, readonly JsonObject[]> {
    const conjuncts = this.#conjuncts(schema, 0);
    const several = new Map<Part, readonly JsonObject[]>();
    if (conjuncts.length < 2) return several;
    for (const [part, schemas] of union(conjuncts)) {
      const isShared = conjuncts.filter((each) => each.has(part)).length > 1;
      const naming = [...schemas].filter((each) => NAMING.some((key) => key in this.target(each)));
      if (isShared && naming.length > 1) several.set(part, [...schemas]);
    }
    return several;
  }

  /** The parts that a schema and everything that applies beside it describe. */
  of(schema: JsonObject, hops = 0): Descriptions {
    const known = this.#known.get(schema);
    if (known) return known;
    // A cycle of references adds nothing.
    this.#known.set(schema, NOTHING);
    const found = union(this.#conjuncts(schema, hops));
    this.#known.set(schema, found);
    return found;
  }

  // The schema itself, the target of its `$ref`, and each schema of its `allOf`.
  #conjuncts(schema: JsonObject, hops: number): readonly Descriptions[] {
    const beside = [this.target(schema), ...(Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [])];
    const others = hops < MAX_HOPS ? beside.filter(isObject).filter((each) => each !== schema) : [];
    return [own(schema), ...others.map((each) => this.of(each, hops + 1))].filter(({ size }) => size > 0);
  }
}

function own(schema: JsonObject): Descriptions {
  const members = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const described = [
    ...members.map(([name, each]) => [memberPart(name), each] as const),
    [ELEMENTS, schema['items']] as const,
  ];
  return new Map(described.flatMap(([part, each]) => (isObject(each) ? [[part, new Set([each])] as const] : [])));
}

function union(all: readonly Descriptions[]): Descriptions {
  const found = new Map<Part, Set<JsonObject>>();
  for (const [part, schemas] of all.flatMap((each) => [...each])) {
    found.set(part, new Set([...(found.get(part) ?? []), ...schemas]));
  }
  return found;
}
