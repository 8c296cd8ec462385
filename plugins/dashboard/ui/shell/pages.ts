import { boot } from '../boot.js';
import { PAGES, type PageEntry } from '../pages/registry.js';
import type { PluginPageInfo } from '../../wire/boot.js';

/** The pages that this application has, those of other plugins last. */
export const pages: readonly PageEntry[] = [
  ...PAGES.filter(({ present }) => present?.(boot) ?? true),
  ...boot.pages.map(pageOfPlugin),
];

/** The page that a path belongs to: the longest that the path is or lies below. */
export function pageAt(path: string): PageEntry | undefined {
  const fits = (page: PageEntry) => path === page.path || (page.path !== '/' && path.startsWith(`${page.path}/`));
  return pages.filter(fits).sort((one, other) => other.path.length - one.path.length)[0];
}

function pageOfPlugin(info: PluginPageInfo): PageEntry {
  const { id, title, path } = info;
  const load = async () => ({ default: (await import('./plugin-page.js')).pluginPage(info) });
  return { id, title, path, icon: 'plugin', group: 'Plugins', load };
}
