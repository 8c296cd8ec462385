import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

/** Returns the objections of a validator; empty when the document is valid. */
export type OpenApiValidator = (document: unknown) => Promise<readonly string[]>;

/** The published JSON Schema of OpenAPI 3.1, in Ajv; resolves references. */
async function publishedSchema(document: unknown): Promise<readonly string[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  if (!valid) return typeof errors === 'string' ? [errors] : (errors ?? []).map((error) => JSON.stringify(error));
  validator.resolveRefs();
  return [];
}

// Rules about correctness; style, such as a licence or a list of servers, is left out.
const RULES = [
  'struct', 'no-unresolved-refs', 'spec-components-invalid-map-name', 'path-not-include-query', 'no-identical-paths',
  'no-ambiguous-paths', 'path-declaration-must-exist', 'path-parameters-defined', 'operation-parameters-unique',
  'operation-operationId-unique', 'operation-operationId-url-safe', 'no-duplicated-tag-names', 'no-enum-type-mismatch',
  'no-invalid-media-type-examples', 'no-invalid-schema-examples', 'no-schema-type-mismatch',
  'security-defined', 'no-empty-servers',
  'no-server-trailing-slash', 'spec-no-invalid-encoding-combinations', 'no-mixed-number-range-constraints',
]; // prettier-ignore

/** Redocly's own type checker for OpenAPI, which shares no code with the other. */
async function typeChecker(document: unknown): Promise<readonly string[]> {
  const config = await createConfig({ rules: Object.fromEntries(RULES.map((rule) => [rule, 'error' as const])) });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
}

/** Two validators that know nothing of each other. */
export const OPENAPI_VALIDATORS: Readonly<Record<string, OpenApiValidator>> = {
  'the published schema': publishedSchema,
  'a type checker': typeChecker,
};

/** What the validators say against a document, each with its name; empty when both find it valid. */
export async function objections(document: unknown): Promise<readonly string[]> {
  const all = await Promise.all(
    Object.entries(OPENAPI_VALIDATORS).map(async ([name, validate]) =>
      (await validate(document)).map((text) => `${name}: ${text}`),
    ),
  );
  return all.flat();
}
