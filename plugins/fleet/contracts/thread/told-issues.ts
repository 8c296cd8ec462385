import type { ForeignIssue } from '../../../../kernel/foreign-schema/index.js';

const COMPOSITIONS = new Set(['anyOf', 'oneOf', 'not']);

/** Whether a keyword makes one condition of several schemas, or of the opposite of one. */
export function isComposition(keyword: string): boolean {
  return COMPOSITIONS.has(keyword);
}

/** Of all failures of a value, those that say something: none of an alternative that was only tried, and none that follows from others. */
export function toldIssues(issues: readonly ForeignIssue[]): readonly ForeignIssue[] {
  const outer = withoutBranches(issues);
  return outer.filter((issue) => !isUncertain(issue, outer));
}

// A failed composition reports every branch that it tried; which of them was meant is found out apart.
function withoutBranches(issues: readonly ForeignIssue[]): readonly ForeignIssue[] {
  const failed = issues.filter(({ keyword }) => COMPOSITIONS.has(keyword));
  return issues.filter(
    (issue) =>
      // What failed behind the condition is reported beside it.
      issue.keyword !== 'if' &&
      !failed.some((composition) => issue !== composition && isBranchOf(issue, composition, issues)),
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
