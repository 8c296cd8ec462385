import type { BootAnswer, BootEntry } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { Badge, toneOfState } from '../../components/badge.js';
import { Card } from '../../components/card.js';
import { duration, plural } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Stat, Stats } from '../../components/stat.js';
import { Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';

/** How the plugins came up, in start order. */
export default function BootPage() {
  const resource = useResource<BootAnswer>('boot');
  const { data } = resource;
  return (
    <>
      <PageHeader
        title="Boot report"
        subtitle={
          data && `${data.app}, profile ${data.profile}, ${plural(data.plugins.length, 'plugin')} in start order`
        }
      />
      <Loaded resource={resource}>{(answer) => <Report {...answer} />}</Loaded>
    </>
  );
}

function Report({ totalMs, plugins }: BootAnswer) {
  const sum = (name: 'importMs' | 'registerMs' | 'startMs') =>
    plugins.reduce((total, plugin) => total + plugin[name], 0);
  const inState = (state: string) => plugins.filter((plugin) => plugin.state === state).length;
  const troubled = inState('failed') + inState('degraded');
  return (
    <div class="stack">
      <Stats>
        <Stat label="Boot" value={duration(totalMs)} note="until ready" />
        <Stat
          label="Plugins"
          value={plugins.length}
          note={`${inState('ready')} ready, ${inState('disabled')} disabled`}
        />
        <Stat label="In trouble" value={troubled} tone={troubled > 0 ? 'bad' : undefined} note="failed or degraded" />
        <Stat label="Imports" value={duration(sum('importMs'))} note="summed; they run side by side" />
        <Stat label="Registering" value={duration(sum('registerMs'))} note="binding services" />
        <Stat label="Starting" value={duration(sum('startMs'))} note="opening things" />
      </Stats>
      <PluginTable plugins={plugins} />
    </div>
  );
}

function PluginTable({ plugins }: Pick<BootAnswer, 'plugins'>) {
  const longest = Math.max(1e-9, ...plugins.map(timeOf));
  return (
    <Card
      title="Plugins"
      flush
      hint={
        <span class="legend">
          <span>
            <span class="legend-mark series-2" aria-hidden="true" />
            import
          </span>
          <span>
            <span class="legend-mark series-4" aria-hidden="true" />
            register
          </span>
          <span>
            <span class="legend-mark series-1" aria-hidden="true" />
            start
          </span>
        </span>
      }
    >
      <Table
        caption="Plugins in start order"
        rows={plugins.map((plugin, index) => ({ ...plugin, position: index + 1 }))}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'position',
            title: '#',
            align: 'right',
            sort: ({ position }) => position,
            cell: ({ position }) => <span class="muted">{position}</span>,
          },
          {
            id: 'id',
            title: 'Plugin',
            sort: ({ id }) => id,
            cell: ({ id, reason, broughtBy, tools }) => (
              <div class="two-lines boot-plugin">
                <span class="strong">{id}</span>
                {(reason || broughtBy) && <span class="muted">{reason || `brought by ${broughtBy}`}</span>}
                {tools.length > 0 && <span class="muted">{tools.join(', ')}</span>}
              </div>
            ),
          },
          {
            id: 'category',
            title: 'Category',
            optional: true,
            sort: ({ category }) => category,
            cell: ({ category }) => <span class="muted">{category}</span>,
          },
          {
            id: 'state',
            title: 'State',
            sort: ({ state }) => state,
            cell: ({ state }) => <Badge tone={toneOfState(state)}>{state}</Badge>,
          },
          { id: 'time', title: 'Time', align: 'right', sort: timeOf, cell: (plugin) => duration(timeOf(plugin)) },
          {
            id: 'bar',
            title: 'Import, register, start',
            wide: true,
            optional: true,
            cell: (plugin) => <Bar {...plugin} longest={longest} />,
          },
        ]}
      />
    </Card>
  );
}

function Bar({ importMs, registerMs, startMs, longest }: BootEntry & { readonly longest: number }) {
  const share = (ms: number) => (ms / longest) * 100;
  const parts = [
    ['part-import', 0, share(importMs)],
    ['part-register', share(importMs), share(registerMs)],
    ['part-start', share(importMs + registerMs), share(startMs)],
  ] as const;
  const label = `import ${duration(importMs)}, register ${duration(registerMs)}, start ${duration(startMs)}`;
  return (
    <svg class="boot-bar" width="100%" height="10" role="img" aria-label={label}>
      <title>{label}</title>
      {parts.map(([name, from, width]) => (
        <rect key={name} class={name} x={`${from}%`} width={`${width}%`} height="10" />
      ))}
    </svg>
  );
}

function timeOf({ importMs, registerMs, startMs }: BootEntry): number {
  return importMs + registerMs + startMs;
}
