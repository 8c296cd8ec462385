import type { TObject } from 'typebox';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The input schema of a tool for model providers, which support only a part of JSON Schema: an `enum` carries its type, maps are
 * `additionalProperties` and not `patternProperties`, and an object that names its properties is closed unless it says that it is open.
 */
export function listedSchema(input: TObject): Schema {
  return { ...listed(input as unknown as Schema), additionalProperties: false };
}

function listed(schema: Schema): Schema {
  const { patternProperties, properties, required, items, anyOf, ...rest } = schema;
  return {
    ...typeOf(schema),
    ...rest,
    ...(properties !== undefined && { properties: each(properties as Schema) }),
    ...((required as unknown[] | undefined)?.length && { required }),
    ...(properties !== undefined && rest['additionalProperties'] === undefined && { additionalProperties: false }),
    ...(patternProperties !== undefined && { additionalProperties: valuesOf(patternProperties as Schema) }),
    ...(items !== undefined && { items: listed(items as Schema) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as Schema[]).map(listed) }),
  };
}

function each(properties: Schema): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, listed(schema as Schema)]));
}

// A map has one pattern that matches every name.
function valuesOf(patterns: Schema): Schema | true {
  const values = listed((Object.values(patterns)[0] ?? {}) as Schema);
  return Object.keys(values).length === 0 ? true : values;
}

function typeOf({ type, enum: values }: Schema): { readonly type?: unknown } {
  if (type !== undefined) return { type };
  const types = [...new Set(((values as unknown[] | undefined) ?? []).map((value) => typeof value))];
  return types.length === 1 ? { type: types[0] } : {};
}
