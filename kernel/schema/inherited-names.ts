const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether a schema contains a property name that every object inherits, such as `constructor` or `toString`. */
export function namesInherited(schema: unknown): boolean {
  if (typeof schema === 'string') return INHERITED.has(schema);
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([name, part]) => INHERITED.has(name) || namesInherited(part));
}

/** A property with a default whose name every object inherits: a validator never fills it in, because the inherited value exists. */
export function inheritedDefault(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { properties } = schema as { readonly properties?: unknown };
  const own = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  const found = own.find(
    ([name, part]) => INHERITED.has(name) && (part as { default?: unknown } | null)?.default !== undefined,
  );
  if (found) return found[0];
  for (const part of Object.values(schema)) {
    const deeper = inheritedDefault(part);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}
