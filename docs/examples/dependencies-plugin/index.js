import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { defineErrors, definePlugin, defineTool, fwError, ToolContribution, Type } from 'fw';

const ERRORS = defineErrors('fw-plugin-dependencies', {
  FW_DEPENDENCIES_NONE: {
    message: '{dir} has no package.json that can be read. Name the folder of a package.',
    status: 404,
    cause: 'The folder is not that of a package, or its package.json is not JSON.',
    remedy: 'Pass the folder of a package as dir.',
  },
});

const listDependencies = defineTool({
  name: 'dependencies_list',
  description: 'List the packages that a project depends on, with their ranges.',
  input: Type.Object({
    dir: Type.Optional(Type.String({ description: 'project folder' })),
    development: Type.Optional(Type.Boolean({ description: 'those of development as well' })),
  }),
  output: Type.Object({ packages: Type.Array(Type.Object({ name: Type.String(), range: Type.String() })) }),
  // dir arrives absolute, inside the folders that the server may read, and as the project's folder when it is left out.
  paths: ['dir'],
  reach: 'inProcess',
  effects: [],
  async run({ dir, development = false }) {
    const { dependencies = {}, devDependencies = {} } = await readPackage(dir);
    const all = Object.entries(development ? { ...devDependencies, ...dependencies } : dependencies);
    const packages = all.map(([name, range]) => ({ name, range })).sort((a, b) => a.name.localeCompare(b.name));
    return { summary: `${packages.length} package(s)`, structured: { packages } };
  },
});

async function readPackage(dir) {
  try {
    return JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8'));
  } catch (cause) {
    throw fwError(ERRORS.FW_DEPENDENCIES_NONE, { dir }, { cause });
  }
}

export default definePlugin({
  id: 'fw-plugin-dependencies',
  // One of the eight tool categories: its tools are reached by tokens with --scope introspection.
  category: 'introspection',
  description: 'Tools that read what a project depends on.',
  fw: '^0.1.0',
  register({ contribute }) {
    contribute(ToolContribution, () => listDependencies);
  },
});
