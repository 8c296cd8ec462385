import { fileURLToPath } from 'node:url';
import { type DashboardPage, fwError } from '../../../kernel/index.js';
import { DASHBOARD_ERRORS } from '../errors.js';
import type { PluginPageInfo } from '../wire/boot.js';
import { contentHash, readUiFile, type UiFile } from './ui-files.js';

/** Paths of the built-in pages and of other endpoints. */
const TAKEN = new Set(['', 'overview', 'routes', 'requests', 'errors', 'logs', 'performance', 'queries', 'events', 'diagnostics', 'mcp', 'boot', 'configuration', 'explorer', 'fleet', 'api', 'assets', 'pages', 'login', 'logout', 'ws']); // prettier-ignore

/** Pages that other plugins add. */
export class PluginPages {
  readonly #pages: readonly DashboardPage[];
  /** Files by id, with their encoded forms. */
  readonly #files = new Map<string, UiFile>();

  /** @throws FwError `FW_DASHBOARD_PAGE` */
  constructor(
    pages: readonly DashboardPage[],
    private readonly basePath: string,
  ) {
    for (const page of pages) checkPage(page, pages);
    this.#pages = pages;
  }

  get count(): number {
    return this.#pages.length;
  }

  /** Facts about the pages for the browser. */
  async infos(): Promise<readonly PluginPageInfo[]> {
    return Promise.all(
      this.#pages.map(async ({ id, title, path, module }) => ({
        id,
        title,
        path,
        module: await this.#urlOf(id, module),
      })),
    );
  }

  /** The module of a page that the dashboard serves; undefined where there is none, or it cannot be read. */
  async file(id: string): Promise<UiFile | undefined> {
    const page = this.#pages.find((each) => each.id === id);
    if (page === undefined || typeof page.module === 'string') return undefined;
    const file = await readUiFile(fileURLToPath(page.module)).catch(() => undefined);
    if (file === undefined) return undefined;
    const kept = this.#files.get(id);
    if (kept?.body.equals(file.body)) return kept;
    this.#files.set(id, file);
    return file;
  }

  async #urlOf(id: string, module: URL | string): Promise<string> {
    if (typeof module === 'string') return module;
    const file = await this.file(id);
    // The address changes with the content, so that browsers may keep the file. One that cannot be read is missed by its own page only.
    const version = file === undefined ? '' : `?v=${contentHash(file.body)}`;
    return `${this.basePath}/pages/${id}.js${version}`;
  }
}

function checkPage(page: DashboardPage, all: readonly DashboardPage[]): void {
  const { id, title, path, module } = page;
  const refuse = (problem: string): never => {
    throw fwError(DASHBOARD_ERRORS.FW_DASHBOARD_PAGE, { id, problem });
  };
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) refuse('its id must be lower-case words joined by "-"');
  if (title.trim() === '') refuse('it has no title');
  if (!/^(\/[a-z0-9][a-z0-9-]*)+$/.test(path)) refuse(`its path is "${path}"; expected one like "/greetings"`);
  if (TAKEN.has(path.split('/')[1] ?? '')) refuse(`its path "${path}" belongs to the dashboard itself`);
  if (all.some((other) => other !== page && (other.id === id || other.path === path))) {
    refuse(`another page has the id "${id}" or the path "${path}"`);
  }
  if (typeof module === 'string' ? !/^\/[^/\\]/.test(module) : module.protocol !== 'file:') {
    refuse('its module must be a file: URL or a path of this application that starts with one "/"');
  }
}
