import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { defineTool, fwError, Type } from '../../../kernel/index.js';
import { packageManagerOf } from '../../../kernel/fs/index.js';
import { missingFramework, toInstall } from '../../../kernel/plugin/index.js';
import { PROXY_VARIABLES } from '../../../kernel/process/index.js';
import { optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { objectOf, parsedJson } from '../../../kernel/values/index.js';
import { fwGenerate, oneAtATime } from '../generation/index.js';
import { WORKBENCH_ERRORS } from './errors.js';
import { runProgram } from './project-fw.js';

const INSTALL_MS = 900_000;

/**
 * A package of the registry, with a version, a tag or an alias: no option, path or address gets past it. What begins with a dot is a path,
 * also behind the name.
 */
const NAME = '(?:@[\\w~][\\w.~-]*/)?[\\w~][\\w.~-]*';
const PACKAGE = new RegExp(`^${NAME}(?:@(?:npm:${NAME}@)?[\\w^~<>=*][\\w.^~<>=*|-]*)?$`);
/** npm takes such a name for a file (https://docs.npmjs.com/cli/commands/npm-install). */
const FILE = /\.(?:tgz|tar\.gz|tar)$/i;

export const fwInstall = defineTool({
  name: 'fw_install',
  description:
    'Install what package.json names, or add packages of the registry to it (npm, or pnpm, yarn or bun where their lock file is). Adding needs the category generation, too.',
  input: Type.Object({
    path: optionalText('project root'),
    packages: optional(Type.Array(Text, { description: 'name, or name@version', maxItems: 20 })),
    dev: optional(Type.Boolean({ description: 'add to devDependencies' })),
  }),
  output: Type.Object({
    changed: Type.Array(
      Type.String({ description: 'what package.json names now and did not before, with its version' }),
    ),
    said: Texts,
  }),
  paths: ['path'],
  texts: ['packages'],
  reach: 'workspace',
  effects: ['runs-project-code', 'writes-files'],
  run: async ({ path: given, packages = [], dev = false }, context) => {
    // package.json is one of the files that generators write.
    if (packages.length > 0) context.permit(fwGenerate);
    const wrong = packages.find((each) => !PACKAGE.test(each) || FILE.test(each));
    if (wrong !== undefined) throw fwError(WORKBENCH_ERRORS.FW_TOOLS_WORKBENCH_PACKAGE, { name: wrong });
    const root = given ?? context.workspace;
    if (!existsSync(path.join(root, 'package.json'))) throw refuse(root, 'there is no package.json');
    if (missingFramework(root) !== undefined) throw refuse(root, toInstall(root));
    const { command, add, flags } = packageManagerOf(root);
    const adding = packages.length === 0 ? ['install'] : [add, ...(dev ? ['-D'] : []), ...packages];
    const name = `${command} ${adding[0]}`;
    const program = { command, args: [...adding, ...flags], name, inherit: PROXY_VARIABLES };
    context.progress(0, 1, name);
    const { before, said, after } = await oneAtATime(root, async () => ({
      before: await namedIn(root),
      said: await runProgram(root, program, INSTALL_MS, context),
      after: await namedIn(root),
    }));
    const changed = after.filter((each) => !before.includes(each));
    const lines = said.split('\n').filter((line) => line.trim() !== '');
    const told = changed.length === 0 ? 'package.json is as it was' : `package.json has ${changed.join(', ')}`;
    return { summary: `Installed; ${told}.`, structured: { changed, said: lines.slice(-4) } };
  },
});

const refuse = (root: string, problem: string) =>
  fwError(WORKBENCH_ERRORS.FW_TOOLS_WORKBENCH_PROJECT, { path: root, problem });

/** What package.json depends on, as `name@version`. */
async function namedIn(root: string): Promise<readonly string[]> {
  const manifest = objectOf(parsedJson(await readFile(path.join(root, 'package.json'), 'utf8')));
  return ['dependencies', 'devDependencies'].flatMap((part) =>
    Object.entries(objectOf(manifest[part])).map(([name, version]) => `${name}@${String(version)}`),
  );
}
