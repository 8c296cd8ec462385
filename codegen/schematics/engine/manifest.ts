import { fwError } from '../../../kernel/errors/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import type { GeneratorContext } from './context.js';

type Versions = Readonly<Record<string, string>>;

/** Packages to add. */
export interface Dependencies {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
}

/**
 * Adds npm scripts to package.json. An existing script of the same name is kept.
 * @returns whether anything changed
 * @throws FwError `FW_SCHEMATIC_NO_PROJECT`
 */
export async function addScripts(context: GeneratorContext, scripts: Versions): Promise<boolean> {
  if (Object.keys(scripts).length === 0) return false;
  const { text, manifest } = await readManifest(context);
  const present = manifest['scripts'] ?? {};
  const fresh = Object.entries(scripts).filter(([name]) => !(name in present));
  for (const [name, command] of Object.entries(scripts)) {
    if (name in present && present[name] !== command) context.log(`kept the script ${name} of package.json`);
  }
  if (fresh.length === 0) return false;
  manifest['scripts'] = { ...present, ...Object.fromEntries(fresh) };
  await writeManifest(context, text, manifest);
  context.log(`edited package.json: added the scripts ${fresh.map(([name]) => name).join(', ')}`);
  return true;
}

/** Adds missing packages to package.json; keeps the versions of existing ones. @throws FwError `FW_SCHEMATIC_NO_PROJECT` */
export async function addDependencies(context: GeneratorContext, added: Dependencies): Promise<void> {
  const { text, manifest } = await readManifest(context);
  const missing: string[] = [];
  for (const part of ['dependencies', 'devDependencies'] as const) {
    const present = manifest[part] ?? {};
    const fresh = Object.entries(added[part] ?? {}).filter(([name]) => !(name in present));
    if (fresh.length === 0) continue;
    missing.push(...fresh.map(([name, version]) => `${name}@${version}`));
    manifest[part] = Object.fromEntries([...Object.entries(present), ...fresh].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  if (missing.length === 0) return;
  await writeManifest(context, text, manifest);
  context.log(`edited package.json: added ${missing.join(', ')}; run npm install`);
}

type Manifest = Record<string, Versions | undefined>;

async function readManifest(
  context: GeneratorContext,
): Promise<{ readonly text: string; readonly manifest: Manifest }> {
  const text = await context.read('package.json');
  if (text === undefined)
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NO_PROJECT, { file: 'package.json', root: context.root });
  return { text, manifest: JSON.parse(text) as Manifest };
}

// Keeps the indent of the file.
async function writeManifest(context: GeneratorContext, before: string, manifest: Manifest): Promise<void> {
  const indent = /^[ \t]+/m.exec(before)?.[0] ?? '  ';
  await context.write('package.json', `${JSON.stringify(manifest, null, indent)}\n`);
}
