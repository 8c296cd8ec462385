import type { McpAnswer, Report, ToolCallRecord, ToolStatistics } from '../../../wire/api.js';
import { useLive } from '../../api/live.js';
import { useResource } from '../../api/use-resource.js';
import { withNewest } from '../../api/with-newest.js';
import { Badge, type Tone, toneOfState } from '../../components/badge.js';
import { Card } from '../../components/card.js';
import { countColumn, durationColumn, lastSeenColumn, nameColumn, problemColumn, timeColumn } from '../../components/columns.js'; // prettier-ignore
import { FactGrid } from '../../components/facts.js';
import { duration } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Empty, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';

const REFRESH_MS = 5_000;
const LIMIT = 200;

const TONES: Readonly<Record<ToolCallRecord['outcome'], Tone>> = {
  ok: 'ok',
  error: 'bad',
  crash: 'bad',
  cancelled: 'quiet',
  refused: 'warn',
  unknown: 'warn',
};

/** Which tools agents call. */
export default function McpPage() {
  const resource = useResource<McpAnswer>(`mcp?limit=${LIMIT}`, REFRESH_MS);
  useLive('tool', (record) =>
    resource.update((answer) => ({ ...answer, calls: withNewest(answer.calls, record, LIMIT) })),
  );
  return (
    <>
      <PageHeader
        title="MCP activity"
        subtitle="Which tool an agent called, when, and what came of it. Names of arguments, never their values."
      />
      <Loaded resource={resource}>
        {({ endpoint, tools, calls }) => (
          <div class="stack">
            <div class="columns">
              <Endpoint {...endpoint} />
              <Tools tools={tools} />
            </div>
            <Calls calls={calls} off={endpoint.status === 'off'} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Endpoint({ status, summary, detail = {}, notes = [] }: Report) {
  return (
    <Card title="Endpoint" actions={<Badge tone={toneOfState(status)}>{status}</Badge>}>
      <p class="card-text">{summary}</p>
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <FactGrid facts={detail} />
    </Card>
  );
}

function Tools({ tools }: { readonly tools: readonly ToolStatistics[] }) {
  return (
    <Card title="By tool" flush>
      <Table
        caption="Tools"
        rows={tools}
        rowKey={({ tool }) => tool}
        empty={
          <Empty icon="mcp" title="No tool was called">
            Tools stand here after their first call.
          </Empty>
        }
        columns={[
          nameColumn('tool', 'Tool'),
          countColumn('calls', 'Calls'),
          problemColumn('failed', 'Failed'),
          problemColumn('refused', 'Refused', 'warn'),
          durationColumn('avg_ms', 'Average'),
          lastSeenColumn({ optional: true }),
        ]}
      />
    </Card>
  );
}

function Calls({ calls, off }: { readonly calls: readonly ToolCallRecord[]; readonly off: boolean }) {
  return (
    <Card title="Latest calls" flush>
      <Table
        caption="Latest calls"
        rows={calls}
        rowKey={({ id }) => id}
        empty={
          <Empty icon="mcp" title="No call yet">
            {off
              ? "Add plugin(() => import('fw/mcp')) to app.config.ts, then connect an agent."
              : 'Connect an agent to the address above; its calls appear here at once.'}
          </Empty>
        }
        columns={[
          timeColumn(),
          { id: 'tool', title: 'Tool', cell: ({ tool }) => <span class="mono">{tool}</span> },
          {
            id: 'outcome',
            title: 'Outcome',
            cell: ({ outcome, requires }) => (
              <>
                <Badge tone={TONES[outcome]}>{outcome}</Badge> {requires && <span class="muted">needs {requires}</span>}
              </>
            ),
          },
          {
            id: 'arguments',
            title: 'Arguments',
            wide: true,
            cell: (row) => <span class="muted mono">{row.argument_names.join(', ') || 'none'}</span>,
          },
          {
            id: 'duration',
            title: 'Duration',
            align: 'right',
            sort: (row) => row.duration_ms,
            cell: (row) =>
              row.outcome === 'refused' || row.outcome === 'unknown' ? (
                <span class="muted">–</span>
              ) : (
                duration(row.duration_ms)
              ),
          },
        ]}
      />
    </Card>
  );
}
