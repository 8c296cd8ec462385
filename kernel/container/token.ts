declare const provided: unique symbol;

/**
 * Names a service. A contract is an interface and a token of the same name, so that a type and its runtime identity are
 * imported together: `import { Clock } from 'fw'`.
 */
export type Token<Service> = symbol & { readonly [provided]?: Service };

/**
 * Makes the token of a contract.
 *
 * @param name - unique, `fw.` for the framework's own, `<package>.` for a third party's
 */
export function token<Service>(name: string): Token<Service> {
  return Symbol.for(name) as Token<Service>;
}

/** Name of a token as error messages print it. */
export function tokenName(of: Token<unknown>): string {
  return of.description ?? '(unnamed)';
}
