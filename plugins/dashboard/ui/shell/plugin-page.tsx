import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fetchJson } from '../api/client.js';
import { onLive } from '../api/live.js';
import { boot } from '../boot.js';
import { PageHeader } from '../components/page-header.js';
import { Empty } from '../components/states.js';
import type { DashboardPageApi, MountDashboardPage } from '../../../../kernel/contracts/dashboard-page.js';
import type { PluginPageInfo } from '../../wire/boot.js';
import { navigate } from './router.js';
import { dark } from './theme.js';

const api: DashboardPageApi = {
  basePath: boot.basePath,
  fetchJson: (path, init = {}) => fetchJson(path, init as Parameters<typeof fetchJson>[1]),
  onLive: (channel, listener) => onLive(channel, listener as never),
  navigate,
  theme: () => (dark.value ? 'dark' : 'light'),
  onTheme: (listener) => {
    let first = true;
    return dark.subscribe((isDark) => {
      if (!first) listener(isDark ? 'dark' : 'light');
      first = false;
    });
  },
};

/** A page that a plugin's module draws. Its errors affect only that page. */
export function pluginPage({ title, module }: PluginPageInfo): ComponentType {
  return function PluginPage() {
    const place = useRef<HTMLDivElement>(null);
    const [failure, setFailure] = useState<string>();
    useEffect(() => {
      let gone = false;
      let end: (() => void) | void;
      const mount = async () => {
        const { default: draw } = (await import(module)) as { default?: MountDashboardPage };
        if (typeof draw !== 'function') throw new TypeError(`${module} exports no function by default`);
        if (!gone) end = draw(place.current as HTMLDivElement, api);
      };
      mount().catch((error: unknown) => setFailure(String(error)));
      return () => {
        gone = true;
        end?.();
      };
    }, []);
    return (
      <>
        <PageHeader title={title} />
        {failure !== undefined && (
          <Empty icon="errors" title="The page of this plugin failed">
            {failure}
          </Empty>
        )}
        <div ref={place} class="plugin-page" />
      </>
    );
  };
}
