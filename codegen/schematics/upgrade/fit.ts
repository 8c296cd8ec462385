import path from 'node:path';
import { lt, minVersion } from 'semver';
import { CONFIG_FILE, type ChangeSet, packageManagerOf } from '../../../kernel/fs/index.js';
import { builtInDialects } from '../../../plugins/orm/registry/index.js';
import { isInPnpmWorkspace, PNPM_SETTINGS, pnpmSettings } from '../new/pnpm-settings.js';
import { DOCKERIGNORE, type ImageFacts, productionDockerfile } from '../new/production-image.js';
import { IGNORED_BY_GIT, newManifest } from '../new/template.js';

type Texts = Record<string, string>;

type Manifest = Record<string, Record<string, unknown> | undefined>;

/** Adds one thing that projects of earlier releases lack. It does not change a project that has it or decided otherwise. */
type Step = (changes: ChangeSet) => Promise<readonly string[]>;

/** Steps that add what new projects have: scripts, tools, files. They replace nothing that a person wrote. */
const STEPS: readonly Step[] = [fitManifest, ignoreEnvironment, addPnpmSettings, addImage];

/**
 * Updates the files that the framework wrote into a project to their current form.
 *
 * @returns a line for each change; empty the second time
 */
export async function fitProject(changes: ChangeSet): Promise<readonly string[]> {
  const said: string[] = [];
  for (const step of STEPS) said.push(...(await step(changes)));
  return said;
}

async function fitManifest(changes: ChangeSet): Promise<readonly string[]> {
  const text = (await changes.readText('package.json')) ?? '{}';
  const manifest = JSON.parse(text) as Manifest;
  const made = newManifest();
  const said = [...raised(manifest, made.devDependencies)];
  for (const part of ['scripts', 'allowScripts', 'overrides'] as const) {
    const present = manifest[part] ?? {};
    const missing = Object.entries(made[part]).filter(([name]) => !(name in present));
    if (missing.length === 0) continue;
    manifest[part] = { ...present, ...Object.fromEntries(missing) };
    said.push(`package.json: ${part} ${missing.map(([name, value]) => `${name} (${String(value)})`).join(', ')}`);
  }
  if (said.length === 0) return [];
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  await changes.write('package.json', `${JSON.stringify(manifest, null, indent)}\n`);
  return said;
}

// Raises the versions of tools that the project has.
function raised(manifest: Manifest, tools: Texts): readonly string[] {
  const has = manifest['devDependencies'] ?? {};
  return Object.entries(tools).flatMap(([name, version]) => {
    const from = has[name];
    const least = typeof from === 'string' && isRange(from) ? minVersion(from) : undefined;
    if (!least || !lt(least, version)) return [];
    has[name] = version;
    return [`package.json: ${name} ${String(from)} is ${version} now`];
  });
}

// `file:`, `workspace:` and tags cannot be compared.
const isRange = (text: string): boolean => /^[\d^~<>=v*. |x-]+$/.test(text);

async function ignoreEnvironment(changes: ChangeSet): Promise<readonly string[]> {
  const text = (await changes.readText('.gitignore')) ?? '';
  const lines = text.split(/\r?\n/);
  const missing = IGNORED_BY_GIT.filter((line) => !lines.includes(line));
  if (missing.length === 0) return [];
  await changes.write(
    '.gitignore',
    `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${missing.join('\n')}\n`,
  );
  return [`.gitignore: ${missing.join(', ')}`];
}

async function addPnpmSettings(changes: ChangeSet): Promise<readonly string[]> {
  if (packageManagerOf(changes.root).command !== 'pnpm' || isInPnpmWorkspace(changes.root)) return [];
  await changes.write(PNPM_SETTINGS, pnpmSettings());
  return [`${PNPM_SETTINGS}: new, with the install scripts that pnpm runs`];
}

async function addImage(changes: ChangeSet): Promise<readonly string[]> {
  const files = { Dockerfile: productionDockerfile(await imageFacts(changes)), '.dockerignore': DOCKERIGNORE };
  const said: string[] = [];
  for (const [file, text] of Object.entries(files)) {
    if ((await changes.read(file)) !== undefined) continue;
    await changes.write(file, text);
    said.push(`${file}: new, for an image of the bundle`);
  }
  return said;
}

// The facts for the image, from the variables that the configuration reads.
async function imageFacts(changes: ChangeSet): Promise<ImageFacts> {
  const files = await Promise.all([CONFIG_FILE, 'app/environment.ts'].map((file) => changes.readText(file)));
  const text = files.join('\n');
  const [, port = '3000'] = /\bPORT\b\s*(?:\?\?\s*|:[^,\n]*default:\s*)(\d+)/.exec(text) ?? [];
  const embedded = builtInDialects.map(({ address }) => address).find(({ option, variable, default: fallback }) => option === 'file' && fallback !== undefined && new RegExp(`\\b${variable}\\b`).test(text)); // prettier-ignore
  const database = embedded && { variable: embedded.variable, file: path.posix.basename(embedded.default ?? '') };
  const { engines } = JSON.parse((await changes.readText('package.json')) ?? '{}') as Manifest;
  return { port: Number(port), database, node: String(engines?.['node'] ?? '*') };
}
