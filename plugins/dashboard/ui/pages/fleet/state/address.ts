import { computed } from '@preact/signals';
import { href, navigate, query, setQuery } from '../../../shell/router.js';
import { addressOf, filterOf, type TraceFilter } from '../model/filters.js';

/** The views of the page. */
const VIEWS = ['traces', 'incidents', 'violations', 'services', 'bounds'] as const;
export type View = (typeof VIEWS)[number];
/** What is shown of the open trace. */
const PANELS = ['waterfall', 'logs', 'violations'] as const;
export type Panel = (typeof PANELS)[number];

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value =>
  values.find((value) => value === text) ?? (values[0] as Value);

// Everything that can be looked at has an address: it survives a reload, and can be sent to somebody.
export const view = computed(() => oneOf(VIEWS, query.value.get('view')));
export const panel = computed(() => oneOf(PANELS, query.value.get('panel')));
export const openTraceId = computed(() => query.value.get('trace') ?? '');
export const openSpanId = computed(() => query.value.get('span') ?? '');
/** Service whose blast radius is shown. */
export const blastOrigin = computed(() => query.value.get('blast') ?? '');
/** Group of services whose members are shown one by one. */
export const openGroup = computed(() => query.value.get('group') ?? '');
export const filter = computed(() => filterOf(query.value));

/** Changes the filter. */
export function setFilter(change: Partial<TraceFilter>): void {
  setQuery(addressOf(change));
}

/** Shows another view. */
export function showView(next: View): void {
  go({ view: next === 'traces' ? '' : next });
}

/** Shows the members of a group; none for ''. */
export function showGroup(group: string): void {
  setQuery({ group });
}

export function showPanel(next: Panel): void {
  setQuery({ panel: next === 'waterfall' ? '' : next });
}

export function closeTrace(): void {
  go({ trace: '', span: '', panel: '', blast: '' });
}

export function selectSpan(id: string): void {
  setQuery({ span: id });
}

export function showBlast(service: string): void {
  if (view.value === 'traces') setQuery({ blast: service });
  else go({ view: '', blast: service });
}

/** Address of a trace beside the list as it is filtered. */
export function traceInListHref(id: string): string {
  return href(changed({ trace: id, span: '', panel: '', blast: '' }));
}

/** Address of a trace, for links from elsewhere. */
export function traceHref(id: string, span?: string): string {
  return href(`/fleet?${new URLSearchParams({ trace: id, ...(span !== undefined && { span }) }).toString()}`);
}

// With an entry in the history: what was open before is one step back.
function go(changes: Readonly<Record<string, string>>): void {
  navigate(changed(changes));
}

function changed(changes: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? '/fleet' : `/fleet?${text}`;
}

/** Address of the trace list with a filter, for links. */
export function traceListHref(wanted: Partial<TraceFilter>): string {
  return href(`/fleet?${new URLSearchParams({ ...addressOf(wanted) }).toString()}`);
}

/** Whole address of an incident in the list of them, to be sent to somebody. */
export function incidentAddress(id: number): string {
  return new URL(href(`/fleet?view=incidents#incident-${id}`), location.href).href;
}
