import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BuildPart } from '../../kernel/build/index.js';
import { CONFIG_FILE } from '../../kernel/fs/index.js';

/** The part of `fw build` that needs code generation. Most projects do not need it, so the parser is loaded only for those that do. */
const appBuild: BuildPart = {
  // Descriptions of the model classes that a package ships, because its compiled declarations have no decorators.
  async outputs(root) {
    const manifest = path.join(root, 'package.json');
    if (!existsSync(manifest) || !existsSync(path.join(root, CONFIG_FILE))) return [];
    const { fw } = JSON.parse(await readFile(manifest, 'utf8')) as { fw?: { models?: unknown } };
    if (fw?.models === undefined) return [];
    const { libraryOutput } = await import('../orm/write-library.js');
    const found = await libraryOutput(root);
    return found ? [found] : [];
  },
  async settingsFor(config, sample) {
    const [{ readCompilerSettings }, { ts }] = await Promise.all([import('../program/index.js'), import('ts-morph')]);
    return readCompilerSettings(path.dirname(config), ts.sys, sample).files[0];
  },
};

export default appBuild;
