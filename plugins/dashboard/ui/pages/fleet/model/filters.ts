/** Which traces the list shows; the address of the page holds the same. */
export interface TraceFilter {
  /** Empty for every service. */
  readonly service: string;
  /** Empty for any, `error` for a failed span anywhere, or the status that the caller saw. */
  readonly status: string;
  /** Milliseconds; empty for any. */
  readonly minDuration: string;
  /** `key:value`; empty for any. */
  readonly tag: string;
  /** Least number of services. */
  readonly minServices: string;
}

/** Names of the filter's parts in the address. */
const NAMES = { service: 'service', status: 'status', minDuration: 'min_ms', tag: 'tag', minServices: 'min_services' } as const; // prettier-ignore

export const NO_FILTER: TraceFilter = { service: '', status: '', minDuration: '', tag: '', minServices: '' };

/** What an address says; what it cannot mean is left out. */
export function filterOf(query: URLSearchParams): TraceFilter {
  const read = (part: keyof TraceFilter) => query.get(NAMES[part])?.trim() ?? '';
  return {
    service: read('service'),
    status: /^([1-5]\d\d|error)$/.test(read('status')) ? read('status') : '',
    minDuration: isNumber(read('minDuration')) ? read('minDuration') : '',
    tag: read('tag'),
    minServices: /^[1-9]\d?$/.test(read('minServices')) ? read('minServices') : '',
  };
}

/** Parts of the address for a filter; an empty text takes a part away. */
export function addressOf(filter: Partial<TraceFilter>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(filter).map(([part, value]) => [NAMES[part as keyof TraceFilter], value]));
}

/** Query of the aggregator's trace list. Unlike the aggregator, people expect to see traces of a single service too. */
export function traceQuery(filter: TraceFilter, page: { readonly size: number; readonly cursor?: string }): string {
  const query = new URLSearchParams({ page_size: String(page.size), min_services: filter.minServices || '1' });
  if (filter.service) query.set('service', filter.service);
  if (filter.status) query.set('status', filter.status);
  if (filter.minDuration) query.set('min_duration_ms', filter.minDuration);
  if (tagProblem(filter.tag) === undefined && filter.tag) query.set('tag', filter.tag);
  if (page.cursor) query.set('cursor', page.cursor);
  return query.toString();
}

/** What is wrong with a tag that somebody typed. */
export function tagProblem(tag: string): string | undefined {
  return tag === '' || /^[^:]+:.+$/.test(tag) ? undefined : 'Write key:value, for example order_id:123.';
}

/** How many parts of a filter are set. */
export function activeParts(filter: TraceFilter): number {
  return Object.values(filter).filter((value) => value !== '').length;
}

function isNumber(text: string): boolean {
  return text !== '' && Number.isFinite(Number(text)) && Number(text) >= 0;
}
