import { type Declared, declared, saysMembers } from './declared-parts.js';
import { ALL, type Filter, type Filters, type Part } from './filter.js';
import { sentValue } from './sent-value.js';

/** Declarations of one schema about items of arrays. */
interface Facet {
  readonly first: readonly Declared[];
  /** Declaration of further items; undefined when it declares none. */
  readonly others: Declared | undefined;
}

/** Filter for arrays under schemas that all apply, without a choice. */
export function arrayFilter(parts: readonly Declared[], compiler: Filters): Part {
  const facets = parts.filter((part) => saysMembers(part, 'array')).map(facetOf);
  if (facets.length === 0) return ALL;
  const tuple = Math.max(...facets.map(({ first }) => first.length));
  const first = Array.from({ length: tuple }, (_, at) => itemAt(at, facets, compiler));
  const other = itemAt(tuple, facets, compiler);
  if (tuple === 0 && other && isAll(other)) return ALL;
  return (value, path, onUndeclared) => {
    const given = value as readonly unknown[];
    let copy: unknown[] | undefined;
    for (let at = 0; at < given.length; at++) {
      const item = at < tuple ? first[at] : other;
      if (item === undefined) {
        onUndeclared?.(`${path}[${at}]`);
        return copy ?? given.slice(0, at);
      }
      const found = given[at];
      let sent = found;
      if ((typeof found === 'object' && found !== null) || typeof found === 'function')
        sent = sentValue(found, at, item, onUndeclared ? `${path}[]` : '', onUndeclared);
      if (sent !== found) copy ??= given.slice(0, at);
      copy?.push(sent);
    }
    return copy ?? value;
  };
}

const isAll = ({ object, array, base64 }: Filter): boolean => object === ALL && array === ALL && !base64;

function facetOf({ schema, scope }: Declared): Facet {
  const { prefixItems, items, unevaluatedItems } = schema;
  const others = items ?? unevaluatedItems ?? false;
  return {
    first: (Array.isArray(prefixItems) ? (prefixItems as unknown[]) : []).map((part) => declared(part, scope)),
    others: others === false ? undefined : declared(others, scope),
  };
}

function itemAt(at: number, facets: readonly Facet[], compiler: Filters): Filter | undefined {
  const parts = facets.flatMap(({ first, others }) => first[at] ?? others ?? []);
  return parts.length === 0 ? undefined : compiler.filter(parts);
}
