// Bundles the dashboard's web UI (plugins/dashboard/ui) for the browser: an entry, a chunk per page that is loaded when the
// page is opened, one style sheet; names carry a hash of the content, so that browsers may keep the files for good.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { writeChanged } from '../../../kernel/build/write-changed.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = 'plugins/dashboard/ui';
/** Where the server finds the files, relative to the package. */
const UI_FOLDER = 'dist/plugins/dashboard/ui';
const MANIFEST = 'manifest.json';
const ICON = 'theme/icon.svg';
/** The module of a page; its folder is the page's id. */
const PAGE = /\/pages\/([^/]+)\/index\.tsx$/;

/**
 * Bundles the web UI in memory.
 *
 * @returns the files of {@link UI_FOLDER}: absolute path and bytes, `manifest.json` among them, which says what
 *   the page has to load: `{ script, style, login, icon, preload, pages, pluginPage }`
 */
export default async function bundleUi() {
  const outdir = path.join(ROOT, UI_FOLDER);
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { app: `${SOURCE}/main.tsx`, login: `${SOURCE}/login.ts` },
    outdir,
    tsconfig: `${SOURCE}/tsconfig.json`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    minify: true,
    sourcemap: false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    write: false,
  });
  const files = outputFiles.map(({ path: file, contents }) => ({ file, contents }));
  const icon = await iconFile(outdir);
  files.push(icon);
  const manifest = { ...manifestOf(metafile.outputs), icon: path.basename(icon.file) };
  files.push({ file: path.join(outdir, MANIFEST), contents: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) });
  return files;
}

async function iconFile(outdir) {
  const contents = await readFile(path.join(ROOT, SOURCE, ICON));
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8);
  return { file: path.join(outdir, `icon-${hash}.svg`), contents };
}

function manifestOf(outputs) {
  const name = (file) => path.posix.basename(file);
  const outputOf = (source) => Object.keys(outputs).find((file) => outputs[file].entryPoint === `${SOURCE}/${source}`);
  const script = outputOf('main.tsx');
  const atOnce = modulesOf(outputs, script);
  /** Modules of a file that is loaded later, without those that are loaded already. */
  const later = (file) => [...modulesOf(outputs, file)].filter((each) => !atOnce.has(each)).map(name);
  const pages = Object.entries(outputs).flatMap(([file, { entryPoint }]) => {
    const id = PAGE.exec(entryPoint ?? '')?.[1];
    return id === undefined ? [] : [[id, later(file)]];
  });
  return {
    script: name(script),
    style: name(outputs[script].cssBundle),
    login: name(outputOf('login.ts')),
    preload: [...atOnce].filter((file) => file !== script).map(name),
    pages: Object.fromEntries(pages),
    pluginPage: later(outputOf('shell/plugin-page.tsx')),
  };
}

/** A file and all that it imports before it runs, directly or not. */
function modulesOf(outputs, file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const { kind, path: imported } of outputs[file].imports) {
    if (kind === 'import-statement') modulesOf(outputs, imported, found);
  }
  return found;
}

/**
 * Bytes that a browser downloads when it opens every page.
 *
 * @param files - what {@link bundleUi} returned
 * @returns per kind of file and in all, as they are and after gzip
 */
function sizesOf(files) {
  const sizes = {};
  for (const { file, contents } of files) {
    const kind = path.extname(file).slice(1);
    if (kind === 'json') continue;
    for (const key of [kind, 'total']) {
      const size = (sizes[key] ??= { bytes: 0, gzip: 0 });
      size.bytes += contents.byteLength;
      size.gzip += gzipSync(contents, { level: 9 }).byteLength;
    }
  }
  return sizes;
}

// `node plugins/dashboard/bundle/bundle-ui.mjs` builds the web UI alone: an application that starts afterwards serves it. With `--sizes` it
// only prints the sizes.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await bundleUi();
  if (!process.argv.includes('--sizes')) {
    await Promise.all(files.map(({ file, contents }) => writeChanged(file, contents)));
  }
  process.stdout.write(`${JSON.stringify(sizesOf(files))}\n`);
}
