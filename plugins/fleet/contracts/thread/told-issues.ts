import type { ForeignIssue, ForeignSchemas } from '../../../../kernel/foreign-schema/index.js';

const COMPOSITIONS = new Set(['anyOf', 'oneOf', 'not']);

/** Whether a keyword combines or negates schemas. */
export function isComposition(keyword: string): boolean {
  return COMPOSITIONS.has(keyword);
}

/** The failures of a value that are reported: without those of branches that were only tried, and without those that follow from others. */
export function toldIssues(issues: readonly ForeignIssue[], schemas: ForeignSchemas): readonly ForeignIssue[] {
  const outer = withoutBranches(issues, schemas);
  return outer.filter((issue) => !isUncertain(issue, outer) && !isOfAnotherType(issue, outer));
}

// Removes the failures of branches of a failed composition; `innermost` finds out which branch was meant.
function withoutBranches(issues: readonly ForeignIssue[], schemas: ForeignSchemas): readonly ForeignIssue[] {
  const failed = issues.filter(({ keyword }) => COMPOSITIONS.has(keyword));
  return issues.filter(
    (issue) =>
      // The failures of `then` and `else` are reported separately.
      issue.keyword !== 'if' &&
      !failed.some((composition) => issue !== composition && isBranchOf(issue, composition, schemas)),
  );
}

// Whatever else a value of another type breaks (a list of values, a format, a bound) is the same failure.
function isOfAnotherType({ keyword, path }: ForeignIssue, all: readonly ForeignIssue[]): boolean {
  return keyword !== 'type' && all.some((other) => other.keyword === 'type' && other.path === path);
}

const REFERRING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if'];

// Ajv knows the members of a referenced schema only if the object fits it: with another error below, every member seems undeclared.
function isUncertain({ keyword, path, parentSchema }: ForeignIssue, all: readonly ForeignIssue[]): boolean {
  if (keyword !== 'unevaluatedProperties' || !REFERRING.some((key) => key in parentSchema)) return false;
  return all.some((other) => other.keyword !== keyword && (other.path === path || other.path.startsWith(`${path}/`)));
}

function isBranchOf(issue: ForeignIssue, composition: ForeignIssue, schemas: ForeignSchemas): boolean {
  const isBelow = issue.path === composition.path || issue.path.startsWith(`${composition.path}/`);
  return isBelow && (issue.keyword === 'unevaluatedProperties' || schemas.isWithin(issue, composition));
}
