import { ENVIRONMENT_FILE } from '../../../plugins/tools/introspection/environment-defaults.js';
import { laidOut } from '../engine/lay-out.js';

/** An environment variable of an application. */
export interface Variable {
  readonly name: string;
  /** Its purpose, in a few words. */
  readonly description: string;
  readonly type: 'String' | 'Integer';
  /** Further members of its schema, as source text: `minLength: 32`. */
  readonly constraints?: string;
  /** Default value; without one the variable has to be set. */
  readonly default?: string | number;
  /** Value in tests, if it has no default. */
  readonly inTests?: string;
}

export const EXAMPLE_FILE = '.env.example';
export const TEST_FILE = '.env.test';

/** The member of `defineEnvironment({ ... })`, on a line or, where that is too long, on several. */
export function declarationOf({ name, description, type, constraints, default: fallback }: Variable): string {
  const options = [...(constraints === undefined ? [] : [constraints]), `description: ${quoted(description)}`];
  const schema = `Type.${type}({ ${options.join(', ')} })`;
  const member = `${name}: ${fallback === undefined ? schema : `withDefault(${schema}, ${valueOf(fallback)})`}`;
  const [first = '', ...rest] = laidOut(`{ ${member} }`, '').split('\n');
  return rest.length === 0 ? `  ${first.slice(2, -2)},` : rest.slice(0, -1).join('\n');
}

const valueOf = (value: string | number): string => (typeof value === 'string' ? quoted(value) : String(value));
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Lines of `.env.example`: variables that have to be set, and optional ones as comments. */
export function exampleOf({ name, description, default: fallback }: Variable): string {
  return `# ${description}\n${fallback === undefined ? `${name}=` : `#${name}=${fallback}`}\n`;
}

/** The row of the table in the README. */
export function variableRow({ name, description, default: fallback }: Variable): string {
  const shown = fallback === undefined ? 'has to be set' : fallback === '' ? '' : `\`${fallback}\``;
  return `| \`${name}\` | ${description} | ${shown} |`;
}

/** The files of a new project that declare its environment variables. */
export function environmentFiles(variables: readonly Variable[]): Readonly<Record<string, string>> {
  return {
    [ENVIRONMENT_FILE]: `import { defineEnvironment, Type, withDefault } from 'fw';

/** What the application takes from its environment and its \`.env\` files; all of it is checked before anything starts. */
export const env = defineEnvironment({
${variables.map((variable) => `${declarationOf(variable)}\n`).join('')}});
`,
    [EXAMPLE_FILE]: `# Copy it to .env, which git leaves out, and set what is meant to differ.\n\n${variables.map(exampleOf).join('\n')}`,
  };
}

/** A text variable; required without a default. */
export const textVariable = (name: string, description: string, fallback?: string): Variable => ({
  name,
  description,
  type: 'String',
  ...(fallback !== undefined && { default: fallback }),
});
