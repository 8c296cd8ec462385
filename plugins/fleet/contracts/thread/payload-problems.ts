import type { ForeignIssue } from '../../../../kernel/foreign-schema/index.js';
import type { JsonObject } from '../json-object.js';
import type { PayloadProblem } from './protocol.js';

/** What stands in a captured body in the place of a secret; it fits any schema. */
const REDACTED = '\u2022\u2022\u2022\u2022\u2022\u2022';

/** Violations of one body that are kept. */
const MAX_PER_PAYLOAD = 20;

const COMPOSITIONS = new Set(['anyOf', 'oneOf', 'not', 'if']);

/** What is wrong with a body, in the order of its paths. */
export function problemsOf(issues: readonly ForeignIssue[], body: unknown): readonly PayloadProblem[] {
  return withoutBranches(issues)
    .filter((issue) => !isUncertain(issue, issues))
    .filter((issue) => !isAboutSecret(issue, body))
    .map((issue) => problemOf(issue, body))
    .filter(
      (problem, at, all) => all.findIndex((other) => other.path === problem.path && other.rule === problem.rule) === at,
    )
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.rule < b.rule ? -1 : 1))
    .slice(0, MAX_PER_PAYLOAD);
}

// A failed composition reports every branch that it tried; what a person needs to know is that none fitted.
function withoutBranches(issues: readonly ForeignIssue[]): readonly ForeignIssue[] {
  const failed = issues.filter(({ keyword }) => COMPOSITIONS.has(keyword));
  return issues.filter(
    (issue) => !failed.some((composition) => issue !== composition && isBranchOf(issue, composition, issues)),
  );
}

const REFERRING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if'];

// What a schema behind a reference names is known only if the object fits it; with an error below, every member looks unnamed.
function isUncertain({ keyword, path, parentSchema }: ForeignIssue, all: readonly ForeignIssue[]): boolean {
  if (keyword !== 'unevaluatedProperties' || !REFERRING.some((key) => key in parentSchema)) return false;
  return all.some((other) => other.keyword !== keyword && (other.path === path || other.path.startsWith(`${path}/`)));
}

function isBranchOf(issue: ForeignIssue, composition: ForeignIssue, all: readonly ForeignIssue[]): boolean {
  const isBelow = issue.path === composition.path || issue.path.startsWith(`${composition.path}/`);
  if (!isBelow) return false;
  if (issue.keyword === 'unevaluatedProperties') return true;
  const isReferenced = issue.schemaPath.startsWith('#/components/') || !issue.schemaPath.startsWith('#/');
  return (
    (issue.schemaPath.startsWith(`${composition.schemaPath}/`) || isReferenced) &&
    all.indexOf(issue) < all.indexOf(composition)
  );
}

function isAboutSecret({ path, keyword }: ForeignIssue, body: unknown): boolean {
  const value = valueAt(body, path);
  if (value === REDACTED) return true;
  return COMPOSITIONS.has(keyword) && JSON.stringify(value ?? null).includes(REDACTED);
}

function problemOf(issue: ForeignIssue, body: unknown): PayloadProblem {
  const { path, keyword, params, parentSchema } = issue;
  if (keyword === 'required') {
    return {
      path: member(path, params['missingProperty']),
      rule: 'required',
      expected: 'present',
      observed: 'missing',
      severity: 'error',
    };
  }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const name = params['additionalProperty'] ?? params['unevaluatedProperty'];
    const isForbidden = keyword === 'additionalProperties';
    return {
      path: member(path, name),
      rule: 'additionalProperties',
      expected: 'declared property',
      observed: 'unknown field',
      severity: isForbidden ? 'error' : 'warning',
    };
  }
  return {
    path,
    rule: keyword,
    expected: expectation(keyword, params, parentSchema),
    observed: typeOf(valueAt(body, path)),
    severity: 'error',
  };
}

function expectation(keyword: string, params: JsonObject, schema: JsonObject): string {
  if (keyword === 'type') return [params['type']].flat().join(' or ');
  if (keyword === 'enum') return shortened(`one of ${JSON.stringify(schema['enum'])}`);
  if (keyword === 'anyOf' || keyword === 'oneOf')
    return keyword === 'oneOf' ? 'exactly one of the alternatives' : 'one of the alternatives';
  return shortened(`${keyword} ${JSON.stringify(schema[keyword] ?? '')}`);
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function member(path: string, name: unknown): string {
  return `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value === undefined ? 'missing' : typeof value;
}

function valueAt(body: unknown, pointer: string): unknown {
  if (pointer === '') return body;
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, part) => (typeof at === 'object' && at !== null ? (at as JsonObject)[part] : undefined),
      body,
    );
}
