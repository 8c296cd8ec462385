import { ts } from 'ts-morph';
import { ENVIRONMENT_FILE } from '../../../plugins/tools/introspection/environment-defaults.js';
import { assertParses } from '../engine/canonical.js';
import type { GeneratorContext } from '../engine/context.js';
import { inserted, withImports } from '../engine/imports.js';
import { readConfig } from '../engine/project.js';
import { declarationOf, EXAMPLE_FILE, exampleOf, TEST_FILE, type Variable, variableRow } from './variable.js';

/** Whether app.config.ts imports `env` from the file that declares the variables; projects of earlier releases do not. */
export async function readsEnvironment(context: GeneratorContext): Promise<boolean> {
  const listed = membersOf(await context.read(ENVIRONMENT_FILE));
  return listed !== undefined && /import \{ env \} from '\.\/app\/environment\.js'/.test(await readConfig(context));
}

/** Source text for a project that reads `process.env` by itself. */
export function withoutEnvironment(text: string, variables: readonly Variable[]): string {
  return text.replace(/\benv\.([A-Z][A-Z0-9_]*)/g, (_, name: string) => {
    const { type, default: fallback = '' } = variables.find((each) => each.name === name) as Variable;
    const value = `process.env.${name} ?? ${typeof fallback === 'number' ? fallback : `'${fallback}'`}`;
    return type === 'Integer' ? `Number(${value})` : value;
  });
}

/** Declares variables, and adds them to `.env.example`, the README, and, if tests need them, `.env.test`. */
export async function declareVariables(context: GeneratorContext, variables: readonly Variable[]): Promise<boolean> {
  const text = (await context.read(ENVIRONMENT_FILE)) ?? '';
  const list = membersOf(text);
  const known = list?.properties.map((member) => member.name?.getText()) ?? [];
  const missing = variables.filter(({ name }) => !known.includes(name));
  if (list === undefined || missing.length === 0) return false;
  const last = list.properties.at(-1);
  const lines = missing.map((variable) => `\n${declarationOf(variable)}`).join('');
  const at = last ? last.getEnd() : list.getStart() + 1;
  const comma = last && /^\s*,/.exec(text.slice(at))?.[0].length;
  const edited = inserted(text, [{ at: at + (comma ?? 0), text: `${last && !comma ? ',' : ''}${lines}` }]);
  const names = ['Type', ...(missing.some((each) => each.default !== undefined) ? ['withDefault'] : [])];
  const whole = withImports(edited, names.map((name) => ({ module: 'fw', name, text: name }))); // prettier-ignore
  assertParses(ENVIRONMENT_FILE, whole);
  await context.write(ENVIRONMENT_FILE, whole);
  context.log(`edited ${ENVIRONMENT_FILE}: ${missing.map(({ name }) => name).join(', ')}`);
  await appended(context, EXAMPLE_FILE, missing.map(exampleOf).join('\n'));
  const tested = missing.flatMap(({ name, inTests }) => (inTests === undefined ? [] : [`${name}=${inTests}\n`]));
  if (tested.length > 0) await appended(context, TEST_FILE, tested.join(''), '');
  await addRows(context, missing);
  return true;
}

/** The object of `defineEnvironment({ ... })`. */
function membersOf(text: string | undefined): ts.ObjectLiteralExpression | undefined {
  if (text === undefined) return undefined;
  const find = (node: ts.Node): ts.ObjectLiteralExpression | undefined => {
    const argument =
      ts.isCallExpression(node) && node.expression.getText() === 'defineEnvironment' ? node.arguments[0] : undefined;
    return argument && ts.isObjectLiteralExpression(argument) ? argument : ts.forEachChild(node, find);
  };
  return find(ts.createSourceFile(ENVIRONMENT_FILE, text, ts.ScriptTarget.Latest, true));
}

async function appended(context: GeneratorContext, file: string, lines: string, gap = '\n'): Promise<void> {
  const text = await context.read(file);
  await context.write(file, text === undefined ? lines : `${text}${text.endsWith('\n') ? '' : '\n'}${gap}${lines}`);
  context.log(`${text === undefined ? 'wrote' : 'edited'} ${file}`);
}

/** Adds rows to the table that `fw new` writes into the README, if it is still there. */
async function addRows(context: GeneratorContext, variables: readonly Variable[]): Promise<void> {
  const text = await context.read('README.md');
  const table = text === undefined ? null : /^\| Variable \|.*\n(?:\|.*\n)*/m.exec(text);
  if (text === undefined || table === null) return;
  const end = table.index + table[0].length;
  await context.write('README.md', `${text.slice(0, end)}${variables.map((each) => `${variableRow(each)}\n`).join('')}${text.slice(end)}`); // prettier-ignore
  context.log('edited README.md');
}
