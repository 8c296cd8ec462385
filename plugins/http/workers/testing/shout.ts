/** Another source of the project that a blocking handler imports. */
export function shout(text: string): string {
  return text.toUpperCase();
}

/** A blocking handler in a source of its own. */
export const beside = (): string => shout('beside');
