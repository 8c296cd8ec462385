// https://www.postgresql.org/docs/current/errcodes-appendix.html: undefined_table, undefined_object, undefined_function
const UNDEFINED: ReadonlySet<unknown> = new Set(['42P01', '42704', '42883']);

/**
 * What to say of a statement in which PostgreSQL does not find a name that a model cannot have written, because its own are those of the
 * catalog: a function or a trigger of the database leaves out a schema, and relies on the `search_path` of who calls it.
 */
export function searchPathHint(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  if (!UNDEFINED.has(cause?.code)) return '';
  return '; a function of the database names it without a schema: give connections the search_path that it needs, ?options=-c%20search_path%3D<schemas> in the URL';
}
