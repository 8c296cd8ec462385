/** The intersection of two filtered copies of a value: members that both have, recursively. */
export function commonPart(one: unknown, other: unknown): unknown {
  if (!isContainer(one) || !isContainer(other)) return one;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) ? items(one, other) : [];
  const members = Object.entries(one).filter(([name]) => Object.hasOwn(other, name));
  return Object.fromEntries(members.map(([name, value]) => [name, commonPart(value, other[name])]));
}

function items(one: readonly unknown[], other: readonly unknown[]): unknown[] {
  return one.slice(0, other.length).map((item, at) => commonPart(item, other[at]));
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}
