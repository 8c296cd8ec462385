import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type DocsPage, type DocsPageFacts, type DocsPageFile, fwError } from '../../../kernel/index.js';
import { frameworkFolder } from '../../../kernel/plugin/index.js';
import { DOCS_ERRORS } from '../errors.js';
import { withoutDataUrls } from './without-data-urls.js';

const BROWSER_FOLDER = 'plugins/docs/docs-ui/browser';
const VIEWER = 'swagger-ui-dist';
const STYLE = 'swagger-ui.css';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpeg': 'image/jpeg',
};

/** Files of the page: our own and the viewer's. No other file of the two folders is served. */
const OWN = ['docs-ui.css', 'docs-ui.js', 'layout.js', 'samples.js', 'sidebar.js', 'icon.svg'];
const VIEWERS = ['swagger-ui-bundle.js', STYLE];

/** The built-in page: swagger-ui-dist in our own design, from our own origin, without inline code. */
export class SwaggerPage implements DocsPage {
  readonly name = 'swagger-ui';
  /** Changes when a file changes; it is part of the addresses, so that browsers may cache the files for good. */
  readonly version: string;
  readonly #folders: ReadonlyMap<string, string>;
  readonly #files = new Map<string, Promise<DocsPageFile>>();

  /** @throws FwError `FW_DOCS_VIEWER_MISSING` */
  constructor() {
    const own = path.join(frameworkFolder(), BROWSER_FOLDER);
    const viewer = viewerOf(createRequire(import.meta.url));
    this.version = contentVersion(own, viewer.version);
    this.#folders = new Map([
      ...OWN.map((name) => [name, own] as const),
      ...VIEWERS.map((name) => [name, viewer.folder] as const),
    ]);
  }

  render({ title, version, documentUrl, filesUrl }: DocsPageFacts): string {
    const file = (name: string) => escapeHtml(`${filesUrl}${name}?v=${this.version}`);
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${file('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${file(STYLE)}">
<link rel="stylesheet" href="${file('docs-ui.css')}">
<script src="${file('swagger-ui-bundle.js')}" defer></script>
<script src="${file('docs-ui.js')}" type="module"></script>
</head>
<body data-document="${escapeHtml(documentUrl)}">
<a class="fw-skip" href="#fw-reference">Skip to the operations</a>
<aside class="fw-sidebar" aria-label="Reference">
<header class="fw-brand"><span class="fw-title">${escapeHtml(title)}</span> <span class="fw-version">${escapeHtml(version)}</span> <button class="fw-menu" type="button" aria-expanded="false" aria-controls="fw-operations">Operations</button></header>
<input class="fw-filter" type="search" placeholder="Filter operations" aria-label="Filter operations" autocomplete="off" spellcheck="false">
<nav class="fw-nav" id="fw-operations" aria-label="Operations by tag" aria-live="polite"></nav>
<footer class="fw-links"><a href="${escapeHtml(documentUrl)}">OpenAPI document</a></footer>
</aside>
<main id="fw-reference" class="fw-reference" tabindex="-1"><noscript>This page needs JavaScript; the same reference as text is at /llms-full.txt.</noscript></main>
</body>
</html>
`;
  }

  async file(name: string): Promise<DocsPageFile | undefined> {
    if (name.startsWith('viewer-')) await this.#read(STYLE);
    const known = this.#files.get(name);
    if (known) return known;
    return this.#folders.has(name) ? this.#read(name) : undefined;
  }

  #read(name: string): Promise<DocsPageFile> {
    const known = this.#files.get(name);
    if (known) return known;
    const read = this.#load(name);
    this.#files.set(name, read);
    // Read again next time: a process that has too many files open for a moment (EMFILE) can read it later.
    read.catch(() => this.#files.delete(name));
    return read;
  }

  async #load(name: string): Promise<DocsPageFile> {
    const body = await readFile(path.join(this.#folders.get(name) as string, name));
    const type = TYPES[path.extname(name)] as string;
    if (name !== STYLE) return { type, body };
    const { css, files } = withoutDataUrls(body.toString('utf8'));
    for (const { name: image, ...file } of files) this.#files.set(image, Promise.resolve(file));
    return { type, body: Buffer.from(css) };
  }
}

function viewerOf(require: NodeJS.Require): { readonly folder: string; readonly version: string } {
  try {
    const manifest = require.resolve(`${VIEWER}/package.json`);
    return { folder: path.dirname(manifest), version: (require(manifest) as { version: string }).version };
  } catch (cause) {
    const reason = (cause as Error).message.split('\n')[0] ?? '';
    throw fwError(DOCS_ERRORS.FW_DOCS_VIEWER_MISSING, { reason }, { cause });
  }
}

function contentVersion(folder: string, viewer: string): string {
  const hash = createHash('sha256').update(viewer);
  for (const name of OWN) hash.update(readFileSync(path.join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Text for HTML, also inside quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
