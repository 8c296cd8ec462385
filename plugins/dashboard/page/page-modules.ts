import type { BootInfo } from '../wire/boot.js';
import type { UiManifest } from './ui-files.js';

/** The page at the mount itself. */
const FIRST_PAGE = 'overview';

/**
 * Addresses of the modules that a page is made of, without the script that starts it. The document lists them, so that a browser requests
 * all of them at once; otherwise it would request the page's own modules only after the script has run, one round trip later.
 *
 * @param path - the page that is asked for, below the mount and without its slash: `requests/7`
 */
export function modulesOf(manifest: UiManifest, boot: BootInfo, path: string): readonly string[] {
  const { preload, pages, pluginPage } = manifest;
  const assets = (names: readonly string[]) => names.map((name) => `${boot.basePath}/assets/${name}`);
  const plugin = boot.pages.find((page) => `/${path}/`.startsWith(`${page.path}/`));
  if (plugin) return [...assets([...preload, ...pluginPage]), plugin.module];
  const id = path.split('/')[0] || FIRST_PAGE;
  const isPresent = Object.hasOwn(pages, id) && (id !== 'fleet' || boot.fleet);
  return assets([...preload, ...(isPresent ? (pages[id] ?? []) : [])]);
}
