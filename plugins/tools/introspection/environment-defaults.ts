/** File of a project that declares its environment variables. */
export const ENVIRONMENT_FILE = 'app/environment.ts';

/** Source texts of the defaults in {@link ENVIRONMENT_FILE}, by variable. */
export function environmentDefaults(text: string | undefined): ReadonlyMap<string, string> {
  // Reads the form that `fw new` and `fw add` write: on one line or several, with the default as the last literal.
  const lines = (text ?? '').matchAll(
    /^\s*([A-Z][A-Z0-9_]*): withDefault\((?:(?!withDefault\()[\s\S])*?,\s*('(?:[^'\\\n]|\\.)*'|[\w.-]+),?\s*\),$/gm,
  );
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}
