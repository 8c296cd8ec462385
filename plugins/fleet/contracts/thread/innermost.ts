import type { ForeignIssue, ForeignSchemas } from '../../../../kernel/foreign-schema/index.js';
import { valueAt } from './json-pointer.js';
import { toldIssues } from './told-issues.js';

/** Deepest nesting of alternatives that is examined. */
const MAX_DEPTH = 8;

/** Keywords whose failure shows that an alternative is not meant: the value has another kind or another tag. */
const TAGS = new Set(['const', 'enum']);

/**
 * Failures of a value that fits none of several alternatives: those of the most similar alternative, so that they name the innermost wrong
 * value. If none is clearly more similar, the failure of the composition itself.
 */
export function innermost(
  issue: ForeignIssue,
  body: unknown,
  schemas: ForeignSchemas,
  depth = 0,
): readonly ForeignIssue[] {
  // Of `oneOf`, more than one alternative may fit.
  if (depth >= MAX_DEPTH || Array.isArray(issue.params['passingSchemas'])) return [issue];
  const alternatives = schemas.alternatives(issue);
  if (alternatives.length === 0) return [issue];
  const value = valueAt(body, issue.path);
  const failures = alternatives.map((each) => toldIssues(each.check(value), schemas));
  const meant = theOneMeant(failures);
  if (meant === undefined) return [ofAllKinds(issue, failures)];
  return meant
    .flatMap((each) => innermost(each, value, schemas, depth + 1))
    .map((each) => ({ ...each, path: issue.path + each.path }));
}

type Failures = readonly (readonly ForeignIssue[])[];

function theOneMeant(all: Failures): readonly ForeignIssue[] | undefined {
  const sameKind = all.filter((issues) => !issues.some(isOtherKind));
  const sameTag = sameKind.filter((issues) => !issues.some(isOtherTag));
  const whole = sameTag.filter((issues) => !issues.some(({ keyword, path }) => keyword === 'required' && path === ''));
  for (const candidates of [sameKind, sameTag, whole]) if (candidates.length === 1) return candidates[0];
  return undefined;
}

function isOtherKind({ keyword, path }: ForeignIssue): boolean {
  return path === '' && (keyword === 'type' || TAGS.has(keyword));
}

// Whether the failure is about a tag: a direct member that has to be a certain text.
function isOtherTag({ keyword, path, parentSchema }: ForeignIssue): boolean {
  const isSingle = keyword === 'const' || (Array.isArray(parentSchema['enum']) && parentSchema['enum'].length === 1);
  return TAGS.has(keyword) && isSingle && path.lastIndexOf('/') === 0;
}

// Merges alternatives that each require another type or value into one failure, as of a single keyword.
function ofAllKinds(issue: ForeignIssue, all: Failures): ForeignIssue {
  const single = all.map((issues) => (issues.length === 1 && issues[0]?.path === '' ? issues[0] : undefined));
  if (single.every((each) => each?.keyword === 'type')) {
    const types = [...new Set(single.flatMap((each) => [each?.params['type']].flat()))];
    return { ...issue, keyword: 'type', params: { type: types } };
  }
  if (single.every((each) => each !== undefined && TAGS.has(each.keyword))) {
    const values = single.flatMap((each) => valuesOf(each as ForeignIssue));
    return { ...issue, keyword: 'enum', params: {}, parentSchema: { enum: [...new Set(values)] } };
  }
  return issue;
}

function valuesOf({ keyword, parentSchema }: ForeignIssue): readonly unknown[] {
  const { enum: values } = parentSchema;
  return keyword === 'enum' && Array.isArray(values) ? values : [parentSchema['const']];
}
