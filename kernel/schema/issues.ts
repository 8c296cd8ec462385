import type { SchemaIssue } from './validator.js';

/** An error as Ajv reports it; the members that fw reads. */
interface AjvError {
  readonly instancePath: string;
  readonly schemaPath?: string;
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
  return aboutMeantOnes(errors)
    .filter((error) => !isEcho(error, errors))
    .map(toIssue);
}

/** More errors than that are not compared with each other: whoever sends a body chooses how many it has. */
const MOST_COMPARED = 200;

/**
 * Of alternatives that a constant tells apart (`kind: 'card'`), the errors of the one that is meant: that a value for another constant does
 * not fit the rest says nothing. Unchanged where the value has none of the constants.
 */
function aboutMeantOnes(errors: readonly AjvError[]): readonly AjvError[] {
  if (errors.length > MOST_COMPARED) return errors;
  const dropped = new Set<AjvError>();
  for (const union of errors) {
    if (union.keyword !== 'anyOf' && union.keyword !== 'oneOf') continue;
    const branches = branchesOf(union, errors);
    const others = [...branches].filter(([branch, own]) => own.some((error) => isOtherConstant(error, union, branch)));
    const meant = branches.size - others.length;
    if (others.length === 0 || meant === 0) continue;
    for (const error of others.flatMap(([, own]) => own)) dropped.add(error);
    if (meant === 1) dropped.add(union);
  }
  return dropped.size === 0 ? errors : errors.filter((error) => !dropped.has(error));
}

/** The errors within each alternative, by the path of its schema. */
function branchesOf({ schemaPath = '', instancePath }: AjvError, errors: readonly AjvError[]): Map<string, AjvError[]> {
  const branches = new Map<string, AjvError[]>();
  for (const error of errors) {
    const path = error.schemaPath ?? '';
    if (!path.startsWith(`${schemaPath}/`) || !isWithin(error.instancePath, instancePath)) continue;
    const branch = path.slice(0, path.indexOf('/', schemaPath.length + 1));
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  return branches;
}

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}/`);

function isOtherConstant({ keyword, schemaPath, instancePath }: AjvError, union: AjvError, branch: string): boolean {
  const isConstant = keyword === 'const' || keyword === 'enum';
  const member = instancePath.slice(union.instancePath.length);
  return isConstant && /^\/[^/]+$/.test(member) && schemaPath === `${branch}/properties${member}/${keyword}`;
}

// `if` reports what its branch reports, and then itself, which says nothing more.
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
