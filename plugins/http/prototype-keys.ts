const DANGEROUS = ['__proto__', 'constructor'] as const;

/**
 * Drops the members `__proto__` and `constructor` at any depth of a decoded value: copied into another object they would
 * change its prototype.
 *
 * @param source - the text the value was decoded from; without the names in it there is nothing to look for
 */
export function withoutPrototypeKeys<Value>(value: Value, source: string): Value {
  // An escape could spell the names in another way.
  const suspicious = source.includes('\\u') || source.includes('%') || DANGEROUS.some((name) => source.includes(name));
  if (suspicious) dropFrom(value);
  return value;
}

// A loop and not a recursion: the depth is the sender's choice.
function dropFrom(root: unknown): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const name of DANGEROUS) if (Object.hasOwn(value, name)) Reflect.deleteProperty(value, name);
    for (const member of Object.values(value)) if (typeof member === 'object') pending.push(member);
  }
}
