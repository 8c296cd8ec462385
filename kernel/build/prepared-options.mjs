import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * esbuild plugin: replaces the option schemas of plugins (`options.ts`) by the plain data that they evaluate to, so that a start does not
 * need TypeBox for them. A module that exports anything else is left as it is.
 *
 * @param {string} root - of the repository
 */
export function preparedOptions(root) {
  return {
    name: 'prepared-options',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]options\.ts$/, namespace: 'file' }, async ({ path: file }) => {
        if (!path.relative(root, file).startsWith('plugins')) return undefined;
        const exported = Object.entries(await evaluated(file, root));
        if (exported.length === 0 || !exported.every(([, value]) => isData(value))) return undefined;
        const lines = exported.map(([name, value]) => `export const ${name} = ${textOf(value)};`);
        return { loader: 'js', contents: [HIDDEN, ...lines].join('\n') };
      });
    },
  };
}

// Written inside the repository, because imports are resolved from there.
async function evaluated(file, root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    packages: 'external',
    // Nothing is built yet.
    conditions: ['fw-source'],
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'warning',
  });
  const folder = path.join(root, 'node_modules/.cache/fw-prepared-options');
  const name = path.relative(root, file).replaceAll(path.sep, '-').replace(/\.ts$/, `-${process.pid}.mjs`);
  const module = path.join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(module, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(module).href);
  } finally {
    await rm(module);
  }
}

const isSimple = (value) => ['string', 'number', 'boolean'].includes(typeof value) || value === null;

function isData(value) {
  if (isSimple(value)) return true;
  if (typeof value !== 'object' || !(Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype))
    return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  return Object.getOwnPropertyNames(value).every((key) => isData(value[key]));
}

// TypeBox keeps the kind of a schema in non-enumerable properties, which JSON leaves out.
const HIDDEN = `const hidden = (schema, properties) => {
  for (const key of Object.keys(properties)) Object.defineProperty(schema, key, { value: properties[key], writable: true, configurable: true });
  return schema;
};`;

function textOf(value) {
  if (isSimple(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  const members = (keys) => `{${keys.map((key) => `${JSON.stringify(key)}:${textOf(value[key])}`).join(',')}}`;
  const shown = Object.keys(value);
  const rest = Object.getOwnPropertyNames(value).filter((key) => !shown.includes(key));
  return rest.length === 0 ? members(shown) : `hidden(${members(shown)},${members(rest)})`;
}
