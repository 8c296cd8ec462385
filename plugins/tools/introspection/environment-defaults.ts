/** File of a project that says what it takes from its environment. */
export const ENVIRONMENT_FILE = 'app/environment.ts';

/** Source texts of the defaults that the variables of {@link ENVIRONMENT_FILE} have, by name. */
export function environmentDefaults(text: string | undefined): ReadonlyMap<string, string> {
  // As `fw new` and `fw add` write them: on one line or several, what a variable falls back to is the literal at the end.
  const lines = (text ?? '').matchAll(
    /^\s*([A-Z][A-Z0-9_]*): withDefault\((?:(?!withDefault\()[\s\S])*?,\s*('(?:[^'\\\n]|\\.)*'|[\w.-]+),?\s*\),$/gm,
  );
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}
