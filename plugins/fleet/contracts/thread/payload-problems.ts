import type { ForeignIssue } from '../../../../kernel/foreign-schema/index.js';
import { byText } from '../../../../kernel/values/index.js';
import type { JsonObject } from '../json-object.js';
import { innermost } from './innermost.js';
import { valueAt } from './json-pointer.js';
import type { Check } from './openapi-document.js';
import type { PayloadProblem } from './protocol.js';
import { WRITE_ONLY } from './schema-reader.js';
import { isComposition, toldIssues } from './told-issues.js';

/** Replacement of a secret in a captured body; it fits any schema. */
const REDACTED = '\u2022\u2022\u2022\u2022\u2022\u2022';

/** Violations of one body that are kept. */
const MAX_PER_PAYLOAD = 20;

/** Violations of a body, sorted by path. */
export function problemsOf({ validator, schemas }: Check, body: unknown): readonly PayloadProblem[] {
  return toldIssues(validator.check(body), schemas)
    .flatMap((issue) => innermost(issue, body, schemas))
    .filter((issue) => !isAboutSecret(issue, body))
    .map((issue) => problemOf(issue, body))
    .filter(
      (problem, at, all) => all.findIndex((other) => other.path === problem.path && other.rule === problem.rule) === at,
    )
    .sort((a, b) => byText(a.path, b.path) || byText(a.rule, b.rule))
    .slice(0, MAX_PER_PAYLOAD);
}

/** A body of a media type that the document does not have. */
export function mediaTypeProblem(declared: readonly string[], observed = ''): PayloadProblem {
  const expected = shortened([...new Set(declared)].sort().join(' or '));
  return { path: '', rule: 'mediaType', expected, observed, severity: 'warning' };
}

function isAboutSecret({ path, keyword, parentSchema }: ForeignIssue, body: unknown): boolean {
  if (WRITE_ONLY in parentSchema) return false;
  const value = valueAt(body, path);
  if (value === REDACTED) return true;
  return isComposition(keyword) && JSON.stringify(value ?? null).includes(REDACTED);
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
  if (WRITE_ONLY in parentSchema) {
    return {
      path,
      rule: 'writeOnly',
      expected: 'no such member in a response',
      observed: 'present',
      severity: 'error',
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
