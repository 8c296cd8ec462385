import { batch, computed, effect, type Signal, signal } from '@preact/signals';
import type {
  LiveMessage, AggregatorState, CatalogEntry, AggregatorStats, Incident, ServiceInfo, Topology, Trace, TracePage, ViolationGroup,
} from '../../../../wire/fleet.js'; // prettier-ignore
import { ApiError, fetchJson } from '../../../api/client.js';
import { type TraceFilter, traceQuery } from '../model/filters.js';
import { fleetServices } from '../model/service-state.js';
import { NO_TRACES, type TraceList, withNewest, withNext } from '../model/trace-list.js';
import { filter, view } from './address.js';
import { watchFleet } from './fleet-live.js';

/** Traces read at once; at first what fills a screen or two, since over a slow network a whole page takes a second. */
const [FIRST_PAGE, PAGE] = [100, 500];
/** A frame in the background may never come. */
const FRAME_AT_MOST_MS = 100;
const REFRESH_MS = 5_000;
/** The list follows the fleet, but not every single span of it. */
const LIST_EVERY_MS = 1_500;
/** Requests of one dashboard must stay far below what a rate limiter allows a person. */
const LIST_AT_LEAST_EVERY_MS = 15_000;

/** Whether the aggregator is there. */
type LinkState =
  | { readonly is: 'connecting' }
  | { readonly is: 'there' }
  | { readonly is: 'away'; readonly reason: string; readonly since: number };

/** What the page knows of the fleet. Everything stays as it was while the aggregator is away. */
export class FleetStore {
  readonly link = signal<LinkState>({ is: 'connecting' });
  /** Whether the services were loaded; until then an empty list does not mean that there are none. */
  readonly isAsked = signal(false);
  readonly topology = signal<Topology>({ nodes: [], edges: [] });
  readonly infos = signal<readonly ServiceInfo[]>([]);
  readonly incidents = signal<readonly Incident[]>([]);
  readonly stats = signal<AggregatorStats | undefined>(undefined);
  readonly violations = signal<readonly ViolationGroup[] | undefined>(undefined);
  readonly catalog = signal<readonly CatalogEntry[] | undefined>(undefined);
  readonly list = signal<TraceList | undefined>(undefined);
  /** Whether the list takes new traces in. */
  readonly following = signal(true);
  readonly services = computed(() => fleetServices(this.infos.value, this.topology.value.nodes));
  readonly openIncidents = computed(() => this.incidents.value.filter(({ state }) => state === 'open'));
  /** Counts messages about a trace, so that an open one is read again. */
  readonly touched = signal<{ readonly id: string; readonly count: number }>({ id: '', count: 0 });
  readonly #ends: (() => void)[] = [];
  #listTimer: ReturnType<typeof setTimeout> | undefined;
  #listAt = 0;
  #isLoadingMore = false;

  /** Begins to watch. @returns ends it */
  start(): () => void {
    let listed = Promise.resolve();
    this.#ends.push(
      watchFleet({ onState: (state) => this.#onState(state), onMessage: (message) => this.#onMessage(message) }),
      effect(() => {
        listed = this.#reloadList(filter.value);
      }),
      effect(() => void this.#loadView(view.value)),
    );
    const timer = setInterval(() => document.hidden || this.refresh(), REFRESH_MS);
    this.#ends.push(() => clearInterval(timer));
    this.#readNumbers();
    void listed.then(() => this.#readServices());
    return () => {
      clearTimeout(this.#listTimer);
      for (const end of this.#ends.splice(0)) end();
    };
  }

  /** Reads everything that changes by itself. */
  refresh(): void {
    void (this.isAsked.peek() ? this.#into(this.infos, 'services') : this.#readServices());
    this.#readNumbers();
    void this.#loadView(view.peek());
    if (Date.now() - this.#listAt > LIST_AT_LEAST_EVERY_MS) this.#scheduleList();
  }

  /** Reads the next page of the list. */
  async loadMore(): Promise<void> {
    const { cursor } = this.list.peek() ?? NO_TRACES;
    if (cursor === undefined || this.#isLoadingMore) return;
    this.#isLoadingMore = true;
    const asked = filter.peek();
    const page = await this.#read<TracePage>(`traces?${traceQuery(asked, { size: PAGE, cursor })}`);
    this.#isLoadingMore = false;
    if (page && asked === filter.peek()) this.list.value = withNext(this.list.peek() ?? NO_TRACES, page);
  }

  /** Reads something else below `{base}/api/fleet`, and notices when the aggregator is away. @throws ApiError */
  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    try {
      const answer = await fetchJson<Answer>(`fleet/${path}`, { signal });
      this.#isThere();
      return answer;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 502 || error.status === 0)) this.#isAway(error.message);
      throw error;
    }
  }

  /** Sends an exported file to the aggregator. @returns how many spans it had @throws ApiError */
  async importFile(file: unknown): Promise<number> {
    const { accepted } = await fetchJson<{ accepted: number }>('fleet/import', { method: 'POST', body: file });
    this.#scheduleList();
    return accepted;
  }

  /** Acknowledges, silences or notes an incident. @throws ApiError */
  async actOnIncident(id: number, action: string, body: object): Promise<void> {
    await fetchJson(`fleet/incidents/${id}/${action}`, { method: 'POST', body });
    await this.#into(this.incidents, 'incidents');
  }

  #readNumbers(): void {
    void this.#into(this.incidents, 'incidents');
    void this.#into(this.stats, 'stats');
  }

  // The topology of a large fleet takes longer to load and draw than everything else, so it is loaded after the trace list was painted, and
  // laid out once when it is complete.
  async #readServices(): Promise<void> {
    await painted();
    const [infos, topology] = await Promise.all([
      this.#read<readonly ServiceInfo[]>('services'),
      this.#read<Topology>('topology'),
    ]);
    batch(() => {
      if (infos) this.infos.value = infos;
      if (topology) this.topology.value = topology;
      // Of a fleet that cannot be asked, nothing is known: that is not an empty one.
      if (infos) this.isAsked.value = true;
    });
  }

  // Failures show in `link`; what was known stays.
  async #read<Answer>(path: string): Promise<Answer | undefined> {
    try {
      return await this.get<Answer>(path);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }

  async #into<Answer>(target: Signal<Answer>, path: string): Promise<void> {
    const answer = await this.#read<Answer>(path);
    if (answer !== undefined) target.value = answer;
  }

  async #loadView(current: string): Promise<void> {
    if (current === 'violations') await this.#into(this.violations as Signal<readonly ViolationGroup[]>, 'violations');
    if (current === 'services') await this.#into(this.catalog as Signal<readonly CatalogEntry[]>, 'catalog');
  }

  #reloadList(next: TraceFilter): Promise<void> {
    this.list.value = undefined;
    return this.#loadList(next, FIRST_PAGE);
  }

  #scheduleList(): void {
    if (this.#listTimer !== undefined || !this.following.peek()) return;
    const wait = Math.max(0, this.#listAt + LIST_EVERY_MS - Date.now());
    this.#listTimer = setTimeout(() => {
      this.#listTimer = undefined;
      void this.#loadList(filter.peek());
    }, wait);
  }

  async #loadList(asked: TraceFilter, size = PAGE): Promise<void> {
    this.#listAt = Date.now();
    const page = await this.#read<TracePage>(`traces?${traceQuery(asked, { size })}`);
    if (page === undefined || asked !== filter.peek()) return;
    const limit = this.stats.peek()?.max_traces ?? 2_000;
    this.list.value = withNewest(this.list.peek() ?? NO_TRACES, page, limit);
  }

  #onState({ connected, reason }: AggregatorState): void {
    if (!connected) return reason === undefined ? undefined : this.#isAway(reason);
    const wasAway = this.link.peek().is === 'away';
    this.#isThere();
    if (wasAway) this.refresh();
    this.#scheduleList();
  }

  #onMessage({ type, data }: LiveMessage): void {
    if (type === 'topology_snapshot' && this.isAsked.peek()) this.topology.value = data as Topology;
    if (type === 'trace_event') this.#onTrace(data as { readonly trace_id: string });
    if (type === 'contract_violation' && view.peek() === 'violations') void this.#loadView('violations');
  }

  #onTrace({ trace_id: id }: { readonly trace_id: string }): void {
    batch(() => {
      this.touched.value = { id, count: this.touched.peek().count + 1 };
      this.#scheduleList();
    });
  }

  #isThere(): void {
    if (this.link.peek().is !== 'there') this.link.value = { is: 'there' };
  }

  #isAway(reason: string): void {
    const now = this.link.peek();
    if (now.is !== 'away') this.link.value = { is: 'away', reason, since: Date.now() };
  }
}

/** What the aggregator says about one trace. */
export interface Explanation {
  readonly trace: Trace;
  readonly incidents: readonly Incident[];
  readonly violations: readonly ViolationGroup[];
}

/** Resolves when the browser has painted the current document. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const latest = setTimeout(resolve, FRAME_AT_MOST_MS);
    // A frame's callbacks run before it is painted.
    requestAnimationFrame(() => {
      clearTimeout(latest);
      setTimeout(resolve);
    });
  });
}
