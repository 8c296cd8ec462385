import { assertParses } from '../engine/canonical.js';
import type { GeneratorContext } from '../engine/context.js';
import { laidOut } from '../engine/lay-out.js';

const FILE = 'tests/test-app.ts';
/** The last entry of the list of plugins that `fw new` writes there. */
const LAST = /^([ \t]*)plugin\(\(\) => import\('\.\.\/app\/index\.js'\)\)/m;

/** Lists a plugin in the application that the tests of the routes boot, before the application itself. */
export async function addToTests(
  context: GeneratorContext,
  { module, call }: { readonly module: string; readonly call: string },
): Promise<void> {
  const text = await context.read(FILE);
  if (text === undefined || text.includes(`import('${module}')`)) return;
  const edited = text.replace(LAST, (last, indent: string) => `${indent}${laidOut(call, indent)},\n${last}`);
  if (edited === text) return context.log(`note: list ${module} in ${FILE}, so that tests have it: ${call}`);
  assertParses(FILE, edited);
  await context.write(FILE, edited);
  context.log(`edited ${FILE}: added ${module}`);
}
