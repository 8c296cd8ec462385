import type { ConfigurationAnswer } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { Card } from '../../components/card.js';
import { Facts, Value } from '../../components/facts.js';
import { FilterBar, SearchField } from '../../components/filters.js';
import { ago, bytes, clock, plural } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Empty, Loaded } from '../../components/states.js';
import { query, setQuery } from '../../shell/router.js';

type PluginOptions = ConfigurationAnswer['plugins'][number];

/** What the application runs with. */
export default function ConfigurationPage() {
  const resource = useResource<ConfigurationAnswer>('configuration');
  const text = (query.value.get('q') ?? '').toLowerCase();
  const fits = ({ plugin, options }: PluginOptions) =>
    `${plugin} ${JSON.stringify(options)}`.toLowerCase().includes(text);
  return (
    <>
      <PageHeader
        title="Configuration"
        subtitle="Options as they hold, defaults included. Secrets are replaced before they get here."
      />
      <Loaded resource={resource} rows={10}>
        {({ app, process, plugins }) => (
          <div class="stack">
            <div class="columns">
              <Card title="Application">
                <Facts
                  items={[
                    ['Name', app.name],
                    ['Version', app.version],
                    ['Profile', app.profile],
                    ['Folder', <code key="root">{app.root}</code>],
                  ]}
                />
              </Card>
              <Card title="Process">
                <Facts
                  items={[
                    ['Node', `${process.node} on ${process.platform}`],
                    ['Process id', process.pid],
                    ['Started', `${clock(process.started)}, ${ago(process.started)}`],
                    ['Limits', `${plural(process.cpus, 'processor')}, heap of ${bytes(process.heap_limit)}`],
                  ]}
                />
              </Card>
            </div>
            <div>
              <FilterBar>
                <SearchField
                  label="Plugin, option or value"
                  value={query.value.get('q') ?? ''}
                  onInput={(q) => setQuery({ q })}
                />
              </FilterBar>
              <Plugins plugins={plugins.filter(fits)} open={text !== ''} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Plugins({ plugins, open }: { readonly plugins: readonly PluginOptions[]; readonly open: boolean }) {
  if (plugins.length === 0)
    return (
      <Empty icon="configuration" title="No plugin fits">
        Remove the filter to see all of them.
      </Empty>
    );
  return (
    <ul class="card probes">
      {plugins.map(({ plugin, options }) => {
        const entries = Object.entries((options ?? {}) as Readonly<Record<string, unknown>>);
        return (
          <li key={plugin} class="probe">
            <details open={open}>
              <summary>
                <span class="probe-name">{plugin}</span>
                <span class="probe-summary muted mono">{preview(entries)}</span>
                <span class="muted">{plural(entries.length, 'option')}</span>
              </summary>
              <div class="probe-body">
                {entries.length === 0 ? (
                  <p class="muted">This plugin has no options.</p>
                ) : (
                  <Facts items={entries.map(([name, value]) => [name, <Value key={name} value={value} />] as const)} />
                )}
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function preview(entries: readonly (readonly [string, unknown])[]): string {
  return entries
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}
