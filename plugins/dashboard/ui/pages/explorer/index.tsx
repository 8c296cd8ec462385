import { useState } from 'preact/hooks';
import type { ExplorerAnswer } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { Badge, Method } from '../../components/badge.js';
import { Card } from '../../components/card.js';
import { SearchField } from '../../components/filters.js';
import { Icon } from '../../components/icon.js';
import { PageHeader } from '../../components/page-header.js';
import { Empty, Loaded } from '../../components/states.js';
import { href, query } from '../../shell/router.js';
import { CallForm } from './call-form.js';
import { type Operation, operationsOf } from './operations.js';

/** What the application can be asked, and a form that asks it. */
export default function ExplorerPage() {
  const resource = useResource<ExplorerAnswer>('api-explorer');
  const { data } = resource;
  return (
    <>
      <PageHeader title="API explorer" subtitle="Calls go from this browser to the application itself.">
        {data?.reference && (
          <a class="button" href={data.reference}>
            API reference <Icon name="external" size={14} />
          </a>
        )}
      </PageHeader>
      <Loaded resource={resource} rows={12}>
        {(answer) => <Explorer operations={operationsOf(answer)} />}
      </Loaded>
    </>
  );
}

function Explorer({ operations }: { readonly operations: readonly Operation[] }) {
  const wanted = query.value.get('operation');
  const current =
    operations.find(({ id }) => id === wanted) ?? operations.find(({ method }) => method === 'GET') ?? operations[0];
  if (!current)
    return (
      <Empty icon="explorer" title="Nothing can be called">
        This application registers no route.
      </Empty>
    );
  return (
    <div class="explorer">
      <OperationList operations={operations} current={current} />
      <Card
        title={current.title || `${current.method} ${current.path}`}
        actions={current.guarded && <Badge tone="warn">needs credentials</Badge>}
      >
        <p class="operation-title">
          <Method name={current.method} /> <code>{current.path}</code>
        </p>
        {current.description && <p class="muted card-text">{current.description}</p>}
        <CallForm key={current.id} operation={current} />
      </Card>
    </div>
  );
}

function OperationList({
  operations,
  current,
}: {
  readonly operations: readonly Operation[];
  readonly current: Operation;
}) {
  const [text, setText] = useState('');
  const fits = ({ id, title }: Operation) => `${id} ${title}`.toLowerCase().includes(text.toLowerCase());
  const groups = new Map<string, Operation[]>();
  for (const operation of operations.filter(fits)) {
    groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
  }
  return (
    <nav class="card operations" aria-label="Operations" tabIndex={0}>
      <SearchField label="Filter operations" value={text} onInput={setText} />
      {[...groups].map(([tag, members]) => (
        <section key={tag} class="operation-group">
          <h2>{tag}</h2>
          {members.map(({ id, method, path, title }) => (
            <a
              key={id}
              href={href(`/explorer?operation=${encodeURIComponent(id)}`)}
              aria-current={id === current.id ? 'page' : undefined}
              title={title}
            >
              <Method name={method} /> <span class="operation-path mono">{path}</span>
            </a>
          ))}
        </section>
      ))}
      {groups.size === 0 && <p class="list-end muted">No operation fits.</p>}
    </nav>
  );
}
