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
  readonly load: () => Promise<ComponentType>;
  /** Whether this application has the page; every application does where it is left out. */
  readonly present?: (boot: BootInfo) => boolean;
}

/** The built-in pages in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  {
    id: 'overview',
    title: 'Overview',
    path: '/',
    icon: 'overview',
    group: 'Monitor',
    load: async () => (await import('./overview/index.js')).default,
  },
  {
    id: 'requests',
    title: 'Requests',
    path: '/requests',
    icon: 'requests',
    group: 'Monitor',
    load: async () => (await import('./requests/index.js')).default,
  },
  {
    id: 'errors',
    title: 'Errors',
    path: '/errors',
    icon: 'errors',
    group: 'Monitor',
    load: async () => (await import('./errors/index.js')).default,
  },
  {
    id: 'logs',
    title: 'Logs',
    path: '/logs',
    icon: 'logs',
    group: 'Monitor',
    load: async () => (await import('./logs/index.js')).default,
  },
  {
    id: 'performance',
    title: 'Performance',
    path: '/performance',
    icon: 'performance',
    group: 'Monitor',
    load: async () => (await import('./performance/index.js')).default,
  },
  {
    id: 'fleet',
    title: 'Fleet',
    path: '/fleet',
    icon: 'fleet',
    group: 'Monitor',
    load: async () => (await import('./fleet/index.js')).default,
    present: ({ fleet }) => fleet,
  },
  {
    id: 'routes',
    title: 'Routes',
    path: '/routes',
    icon: 'routes',
    group: 'Develop',
    load: async () => (await import('./routes/index.js')).default,
  },
  {
    id: 'explorer',
    title: 'API explorer',
    path: '/explorer',
    icon: 'api',
    group: 'Develop',
    load: async () => (await import('./explorer/index.js')).default,
  },
  {
    id: 'queries',
    title: 'Queries',
    path: '/queries',
    icon: 'queries',
    group: 'Develop',
    load: async () => (await import('./queries/index.js')).default,
  },
  {
    id: 'events',
    title: 'Events',
    path: '/events',
    icon: 'events',
    group: 'Develop',
    load: async () => (await import('./events/index.js')).default,
  },
  {
    id: 'mcp',
    title: 'MCP activity',
    path: '/mcp',
    icon: 'mcp',
    group: 'Develop',
    load: async () => (await import('./mcp/index.js')).default,
  },
  {
    id: 'diagnostics',
    title: 'Diagnostics',
    path: '/diagnostics',
    icon: 'diagnostics',
    group: 'System',
    load: async () => (await import('./diagnostics/index.js')).default,
  },
  {
    id: 'boot',
    title: 'Boot report',
    path: '/boot',
    icon: 'boot',
    group: 'System',
    load: async () => (await import('./boot/index.js')).default,
  },
  {
    id: 'configuration',
    title: 'Configuration',
    path: '/configuration',
    icon: 'configuration',
    group: 'System',
    load: async () => (await import('./configuration/index.js')).default,
  },
];
