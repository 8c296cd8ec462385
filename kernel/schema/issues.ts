import type { SchemaIssue } from './validator.js';

/** An error as Ajv reports it; the members that fw reads. */
interface AjvError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validating function as Ajv compiles or generates it. */
export interface AjvFunction {
  (value: unknown): boolean;
  errors?: readonly AjvError[] | null;
}

/** Runs an Ajv function and converts its errors to fw's issues. */
export function issuesFrom(check: AjvFunction, value: unknown): readonly SchemaIssue[] {
  if (check(value)) return [];
  const errors = check.errors ?? [];
  return errors.filter((error) => !isEcho(error, errors)).map(toIssue);
}

// `anyOf` reports every branch and then itself; when the branches only disagree on the type, one sentence is enough.
function isEcho(error: AjvError, all: readonly AjvError[]): boolean {
  return error.keyword === 'if' && all.length > 1;
}

function toIssue(error: AjvError): SchemaIssue {
  return { path: pathOf(error), keyword: error.keyword, message: sentenceOf(error), params: error.params };
}

function pathOf({ instancePath, keyword, params }: AjvError): string {
  const member =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined;
  return typeof member === 'string'
    ? `${instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath;
}

const SENTENCES: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  required: () => 'is required',
  additionalProperties: () => 'is not known here',
  enum: (params) => `must be one of ${listed(params['allowedValues'])}`,
  const: (params) => `must be ${JSON.stringify(params['allowedValue'])}`,
  type: (params) => `must be ${typeWords(params['type'])}`,
  minLength: (params) => `must be at least ${String(params['limit'])} characters long`,
  maxLength: (params) => `must be at most ${String(params['limit'])} characters long`,
  format: (params) => `must be a valid ${String(params['format'])}`,
};

function sentenceOf(error: AjvError): string {
  return SENTENCES[error.keyword]?.(error.params) ?? error.message ?? `does not satisfy ${error.keyword}`;
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : String(values);
}

function typeWords(type: unknown): string {
  const types = (Array.isArray(type) ? type : String(type).split(',')) as string[];
  return types.map((one) => (/^[aeiou]/.test(one) ? `an ${one}` : `a ${one}`)).join(' or ');
}
