/** Whether every object has a property of that name already, by `Object.prototype`. */
export const isInherited = (property: string): boolean => property in {};

/** Why a column cannot have a property of that name; undefined when it can. */
export const inheritedProblem = ({ property }: { readonly property: string }): string | undefined =>
  isInherited(property)
    ? `every object has a ${property}, so that a new row would have a value that nobody gave; call the property ${property}_ and name the column in its tag`
    : undefined;
