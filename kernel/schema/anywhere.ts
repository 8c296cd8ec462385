/** Whether a test holds for an object anywhere in a schema, the schema itself included. */
export function anywhere(schema: unknown, test: (node: Readonly<Record<string, unknown>>) => boolean): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return (
    test(schema as Readonly<Record<string, unknown>>) || Object.values(schema).some((part) => anywhere(part, test))
  );
}
