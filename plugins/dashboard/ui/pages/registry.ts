import type { ComponentType } from 'preact';
import type { BootInfo } from '../../wire/boot.js';
import type { IconName } from '../components/icon.js';

/** One page of the dashboard. */
export interface PageEntry {
  readonly id: string;
  readonly title: string;
  /** Below the dashboard's mount; `/` is the first page. What follows a page's path belongs to the page. */
  readonly path: string;
  readonly icon: IconName;
  readonly group: 'Monitor' | 'Develop' | 'System' | 'Plugins';
  /** Loaded when the page is opened for the first time. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Whether this application has the page; every application does where it is left out. */
  readonly present?: (boot: BootInfo) => boolean;
}

/** The built-in pages in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  { ...page('overview', 'Overview', 'Monitor', () => import('./overview/index.js')), path: '/' },
  page('requests', 'Requests', 'Monitor', () => import('./requests/index.js')),
  page('errors', 'Errors', 'Monitor', () => import('./errors/index.js')),
  page('logs', 'Logs', 'Monitor', () => import('./logs/index.js')),
  page('performance', 'Performance', 'Monitor', () => import('./performance/index.js')),
  { ...page('fleet', 'Fleet', 'Monitor', () => import('./fleet/index.js')), present: ({ fleet }) => fleet },
  page('routes', 'Routes', 'Develop', () => import('./routes/index.js')),
  page('explorer', 'API explorer', 'Develop', () => import('./explorer/index.js')),
  page('queries', 'Queries', 'Develop', () => import('./queries/index.js')),
  page('events', 'Events', 'Develop', () => import('./events/index.js')),
  page('mcp', 'MCP activity', 'Develop', () => import('./mcp/index.js')),
  page('diagnostics', 'Diagnostics', 'System', () => import('./diagnostics/index.js')),
  page('boot', 'Boot report', 'System', () => import('./boot/index.js')),
  page('configuration', 'Configuration', 'System', () => import('./configuration/index.js')),
];

/** @param id - also its path and its icon */
function page(id: IconName, title: string, group: PageEntry['group'], load: PageEntry['load']): PageEntry {
  return { id, title, path: `/${id}`, icon: id, group, load };
}
