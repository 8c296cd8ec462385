// Names that the application has declared secret.
const declared = new Set<string>();

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9\u0080-\uffff]/g, '');

/**
 * Declares a name secret, such as that of a private column of a model: members of that name are masked wherever the framework records
 * payloads. Case and `_` do not matter.
 */
export function declareSecret(name: string): void {
  declared.add(plainName(name));
}

/** Whether {@link declareSecret} was told that name. */
export function isDeclaredSecret(name: string): boolean {
  return declared.size > 0 && declared.has(plainName(name));
}
