import type { ForeignIssue } from '../../../../kernel/foreign-schema/index.js';

const COMPOSITIONS = new Set(['anyOf', 'oneOf', 'not']);

/** Whether a keyword combines or negates schemas. */
export function isComposition(keyword: string): boolean {
  return COMPOSITIONS.has(keyword);
}

/** The relevant failures of a value: without those of alternatives that were only tried, and those that follow from others. */
export function toldIssues(issues: readonly ForeignIssue[]): readonly ForeignIssue[] {
  const outer = withoutBranches(issues);
  return outer.filter((issue) => !isUncertain(issue, outer));
}

// Removes the failures of branches of a failed composition; `innermost` finds out which branch was meant.
function withoutBranches(issues: readonly ForeignIssue[]): readonly ForeignIssue[] {
  const failed = issues.filter(({ keyword }) => COMPOSITIONS.has(keyword));
  return issues.filter(
    (issue) =>
      // The failures of `then` and `else` are reported separately.
      issue.keyword !== 'if' &&
      !failed.some((composition) => issue !== composition && isBranchOf(issue, composition, issues)),
  );
}

const REFERRING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if'];

// Ajv knows the members of a referenced schema only if the object fits it: with another error below, every member seems undeclared.
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
