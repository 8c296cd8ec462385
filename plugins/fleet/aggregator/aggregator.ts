import { type Clock, fwError, type Logger } from '../../../kernel/index.js';
import { failureOf } from '../../../kernel/contracts/callbacks.js';
import type {
  AggregatorStats,
  HeartbeatRecord,
  Incident,
  ServiceInfo,
  SpanRecord,
  Topology,
  Trace,
  WebhookReport,
} from '../../../kernel/contracts/fleet-wire.js';
import { ContractChecker, type ViolationFilter, type ViolationGroup } from '../contracts/index.js';
import { AddressBook } from './address-book.js';
import { assembleTrace } from './assemble-trace.js';
import { blastRadii } from './blast-radius.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import { causesOf } from './incidents/causes.js';
import { groupByCause } from './incidents/group.js';
import { type IncidentEvent, IncidentLog } from './incidents/incident-log.js';
import { NO_WEBHOOK } from './incidents/webhook.js';
import type { AggregatorSettings } from './options.js';
import { readHeartbeat } from './read-heartbeat.js';
import { type ReadSpan, SpanReader } from './read-span.js';
import { isCalledOff, isFailedWork, isOwnWork } from './root-cause/index.js';
import { ServiceRegistry } from './service-registry.js';
import { parentOf } from './shared-id.js';
import { recordOf, type StoredSpan } from './stored-span.js';
import type { StoredTrace } from './stored-trace.js';
import { TopologyGraph } from './topology.js';
import { isUndeclaredAnswer } from './undeclared-answer.js';
import { findTraces, type FoundTraces, type TraceQuery } from './trace-query.js';
import { TraceStore } from './trace-store.js';

/** Events of an aggregator, for live views. */
interface AggregatorEvents {
  /** A new span, from any intake. */
  onSpan?(span: SpanRecord): void;
  onTrace?(event: { readonly trace_id: string; readonly service: string; readonly error?: true }): void;
  onService?(heartbeat: HeartbeatRecord): void;
  onViolation?(group: ViolationGroup): void;
  /** An incident that nobody has silenced began or ended. */
  onIncident?(event: IncidentEvent, incident: Incident): void;
}

/** Parts of an aggregator. */
interface AggregatorParts {
  readonly clock: Clock;
  /** Fetches the text of an OpenAPI document. */
  readonly fetchDocument: (url: string) => Promise<Uint8Array>;
  readonly log?: Logger;
  /** Report on messages about incidents; default: no webhook. */
  readonly webhook?: () => WebhookReport;
}

/**
 * Takes spans and heartbeats, keeps what fits, and answers what happened (SPEC "Fleet operations", rules 6 and 7).
 * Knows nothing of HTTP: the API, the WebSocket and the brokers all come in through the same few methods.
 */
export class Aggregator {
  readonly store: TraceStore;
  readonly graph: TopologyGraph;
  readonly registry: ServiceRegistry;
  readonly addresses: AddressBook;
  readonly contracts: ContractChecker | undefined;
  readonly #reader = new SpanReader();
  /** Recent incidents, with the notes of people. */
  readonly incidentLog = new IncidentLog((event, incident) =>
    this.#tell(({ onIncident }) => onIncident?.(event, incident)),
  );
  /** What watches, and who is told when it fails. */
  readonly #listeners = new Map<AggregatorEvents, (error: unknown) => void>();
  readonly #assembled = new WeakMap<StoredTrace, { readonly version: number; readonly trace: Trace }>();
  #batches = 0;
  #batchesRejected = 0;
  #heartbeats = 0;

  constructor(
    readonly settings: AggregatorSettings,
    private readonly parts: AggregatorParts,
  ) {
    this.store = new TraceStore(settings);
    this.graph = new TopologyGraph(settings);
    this.registry = new ServiceRegistry(settings);
    this.addresses = new AddressBook({ maxAddresses: 2 * settings.maxEdges, keepFor: 2 * settings.traceTTL });
    this.contracts = settings.contractValidation ? this.#checker() : undefined;
  }

  /** Milliseconds since the epoch, by the aggregator's clock. */
  now(): number {
    return this.parts.clock.now();
  }

  /**
   * Takes a batch of spans: all of it or, when one span's identity is malformed, nothing.
   *
   * @param batch - the parsed body
   * @returns how many spans it had
   * @throws FwError `FW_FLEET_BATCH_MALFORMED`, `FW_FLEET_BATCH_TOO_LARGE`, `FW_FLEET_SPAN_IDENTITY`
   */
  acceptSpans(batch: unknown): number {
    const spans = this.#readBatch(batch);
    this.#batches++;
    const now = this.now();
    for (const each of spans) this.#take(each, now);
    this.#announce(spans);
    return spans.length;
  }

  /**
   * Takes the spans of a batch that have a well-formed identity. For protocols that report how many spans were refused and do not send the
   * others again.
   *
   * @param batch - spans as `SpanRecord`
   * @returns how many were refused
   * @throws FwError `FW_FLEET_BATCH_TOO_LARGE`
   */
  acceptPart(batch: readonly unknown[]): number {
    this.#refuseTooLarge(batch);
    const now = this.now();
    const spans = batch.flatMap((wire) => this.#reader.read(wire, now) ?? []);
    this.#batches++;
    for (const each of spans) this.#take(each, now);
    this.#announce(spans);
    const refused = batch.length - spans.length;
    this.store.reject(refused);
    return refused;
  }

  /**
   * Takes a heartbeat.
   * @throws FwError `FW_FLEET_HEARTBEAT_MALFORMED`
   */
  acceptHeartbeat(body: unknown): void {
    const read = readHeartbeat(body);
    this.#heartbeats++;
    const now = this.now();
    this.graph.heard(read, now, (name) => this.registry.newest(name) !== undefined);
    // The graph has the requests; nobody else needs to keep or pass on hundreds of numbers.
    const { durations: _durations, errors: _errors, callers: _callers, ...heartbeat } = read;
    this.registry.beat(heartbeat, now);
    this.addresses.heard(heartbeat, now);
    const { service, openapi_hash: hash, openapi_url: url } = heartbeat;
    if (hash !== undefined && url !== undefined) this.contracts?.advertise(service, hash, url);
    this.#tell(({ onService }) => onService?.(heartbeat));
  }

  services(): readonly ServiceInfo[] {
    return this.registry.list(this.now());
  }

  traces(query: TraceQuery): FoundTraces {
    return findTraces(this.store, query);
  }

  /** A trace, assembled on demand and cached until its next span. */
  trace(traceId: string): Trace | undefined {
    const stored = this.store.get(traceId);
    return stored && this.#assemble(stored);
  }

  #assemble(stored: StoredTrace): Trace {
    const known = this.#assembled.get(stored);
    if (known?.version === stored.version) return known.trace;
    const trace = assembleTrace(stored, (call) => this.addresses.serviceAt(call, this.now()));
    this.#assembled.set(stored, { version: stored.version, trace });
    return trace;
  }

  topology(): Topology {
    return this.graph.snapshot(this.now());
  }

  /** Current and recent incidents: one for each cause. */
  incidents(): readonly Incident[] {
    this.#updateIncidents();
    return this.incidentLog.list();
  }

  violations(filter: ViolationFilter = {}): readonly ViolationGroup[] {
    return this.contracts?.violations.list(filter) ?? [];
  }

  stats(): AggregatorStats {
    return {
      ...this.store.stats(),
      batches_accepted: this.#batches,
      batches_rejected: this.#batchesRejected,
      services: this.registry.size,
      max_services: this.settings.maxServices,
      services_evicted: this.registry.evicted,
      nodes: this.graph.nodes.size,
      nodes_evicted: this.graph.nodes.evicted,
      edges: this.graph.edges.size,
      max_edges: this.settings.maxEdges,
      edges_evicted: this.graph.edges.evicted,
      addresses: this.addresses.size,
      max_addresses: this.addresses.limit,
      addresses_evicted: this.addresses.evicted,
      instances_evicted: this.registry.instancesEvicted,
      incidents_dropped: this.incidentLog.dropped,
      silences_dropped: this.incidentLog.silencesDropped,
      heartbeats: this.#heartbeats,
      contracts: this.contracts?.stats() ?? { off: true },
      webhook: this.parts.webhook?.() ?? NO_WEBHOOK,
    };
  }

  /** Forgets what has expired. Called every few seconds. */
  sweep(): void {
    const now = this.now();
    this.store.sweep(now);
    this.graph.sweep(now);
    this.registry.sweep(now);
    this.addresses.sweep(now);
    this.contracts?.sweep();
    this.#updateIncidents();
  }

  /** Milliseconds between sweeps. */
  get sweepInterval(): number {
    return Math.max(1_000, Math.min(this.settings.traceTTL / 4, this.settings.serviceTTL / 2));
  }

  /**
   * Calls a listener from now on. What it throws concerns neither the others nor what it was told of; its first exception emits a process
   * warning.
   *
   * @returns ends the subscription
   */
  subscribe(listener: AggregatorEvents): () => void {
    this.#listeners.set(listener, failureOf('a listener of the aggregator'));
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.contracts?.close();
  }

  #tell(tell: (listener: AggregatorEvents) => void): void {
    for (const [listener, failed] of this.#listeners) {
      try {
        tell(listener);
      } catch (error) {
        failed(error);
      }
    }
  }

  #checker(): ContractChecker {
    const { maxViolations, violationDedupeWindow, contractDeadline } = this.settings;
    const { fetchDocument, log } = this.parts;
    return new ContractChecker({
      maxViolations,
      violationDedupeWindow,
      contractDeadline,
      fetchDocument,
      isBelow: (traceId, spanId, ancestorId) => this.store.get(traceId)?.isBelow(spanId, ancestorId) ?? false,
      clock: this.parts.clock,
      log,
      onViolation: (group) => this.#tell(({ onViolation }) => onViolation?.(group)),
    });
  }

  #readBatch(batch: unknown): readonly ReadSpan[] {
    if (!Array.isArray(batch)) throw this.#refused(1, fwError(AGGREGATOR_ERRORS.FW_FLEET_BATCH_MALFORMED, {}));
    this.#refuseTooLarge(batch);
    const now = this.now();
    const spans = new Array<ReadSpan>(batch.length);
    for (let index = 0; index < batch.length; index++) {
      const read = this.#reader.read(batch[index], now);
      if (read === undefined) {
        throw this.#refused(batch.length, fwError(AGGREGATOR_ERRORS.FW_FLEET_SPAN_IDENTITY, { index }));
      }
      spans[index] = read;
    }
    return spans;
  }

  #refuseTooLarge({ length: count }: readonly unknown[]): void {
    const limit = this.settings.maxBatchSpans;
    if (count > limit)
      throw this.#refused(count, fwError(AGGREGATOR_ERRORS.FW_FLEET_BATCH_TOO_LARGE, { count, limit }));
  }

  #refused(spans: number, error: Error): Error {
    this.#batchesRejected++;
    this.store.reject(spans);
    return error;
  }

  #take({ traceId, span: read, caller }: ReadSpan, now: number): void {
    // The store may leave the bodies out to stay within its bounds; the check still wants them.
    const { payload } = read;
    const { trace, span, request } = this.store.add(traceId, read, now);
    if (span === undefined) return;
    if (request) this.#observeCall(span, request, now);
    this.addresses.called(span);
    this.#tell(({ onSpan }) => onSpan?.(recordOf(traceId, span)));
    const parent = parentOf(span, (id) => trace.find(id));
    this.#observe(trace, span, parent, now);
    for (const child of trace.childrenAwaiting(span.spanId)) {
      this.#observeCall(span, child, now);
      this.contracts?.called(traceId, child.spanId, span.service);
    }
    if (span.kind === 'client') this.#observeUndeclared(trace, span, now);
    if (span.kind === 'server') this.#check(traceId, span, payload, parent?.service ?? caller, now);
  }

  // Only requests that a service answered count as calls between services; a query inside of one does not.
  #observe(trace: StoredTrace, span: StoredSpan, parent: StoredSpan | undefined, now: number): void {
    if (isOwnWork(span)) {
      const { service, method, route, durationMs, weight } = span;
      this.graph.observeWork(service, `${method} ${route}`, { durationMs, weight, failed: isFailedWork(span) }, now);
    }
    if (span.kind !== 'server') {
      if (parent && isUndeclaredAnswer(parent, span)) this.#observeAnswer(parent, span, now);
      return;
    }
    const isEntry = span.parentId === undefined;
    this.graph.observe(span.service, span, isEntry, now);
    if (parent) this.#observeCall(parent, span, now);
    else if (!isEntry) trace.awaitParent(span);
  }

  // Those that were there before their call.
  #observeUndeclared(trace: StoredTrace, call: StoredSpan, now: number): void {
    for (const span of trace.spans) {
      const isBelow = span.parentId === call.spanId && isUndeclaredAnswer(call, span);
      if (isBelow && parentOf(span, (id) => trace.find(id)) === call) this.#observeAnswer(call, span, now);
    }
  }

  #observeAnswer(call: StoredSpan, answer: StoredSpan, now: number): void {
    this.graph.observe(answer.service, answer, false, now);
    this.#observeCall(call, answer, now);
  }

  #observeCall(parent: StoredSpan, child: StoredSpan, now: number): void {
    this.graph.observeCall(parent.service, child.service, child, now);
    // A proxy that passes a call on is not at its address.
    if (child.kind !== 'client') this.addresses.answered(parent, child, now);
  }

  #check(traceId: string, span: StoredSpan, payload: StoredSpan['payload'], caller: string, at: number): void {
    const { spanId, service: callee, method, route, status } = span;
    const { request, response, requestType, responseType } = payload ?? {};
    const bodies = { request, response, requestType, responseType };
    const awaitsCaller = caller === '' && span.parentId !== undefined;
    this.contracts?.submit({ traceId, spanId, caller, awaitsCaller, callee, method, route, status, ...bodies, at });
  }

  #announce(spans: readonly ReadSpan[]): void {
    const failing = spans.find(({ span }) => span.failed && !isCalledOff(span));
    const shown = failing ?? spans[0];
    if (this.#listeners.size === 0 || shown === undefined) return;
    const { traceId, span } = shown;
    const event = { trace_id: traceId, service: span.service, ...(failing && { error: true as const }) };
    this.#tell(({ onTrace }) => onTrace?.(event));
  }

  #updateIncidents(): void {
    const now = this.now();
    const radii = blastRadii(this.graph, this.settings, now);
    const services = new Set(radii.map(({ service }) => service));
    // Rates cover up to two windows; older traces are about earlier failures.
    const since = now - 2 * this.settings.blastRadiusWindow;
    const causes = causesOf(services, this.store, { since, now }, (trace) => this.#assemble(trace));
    this.incidentLog.update(groupByCause(radii, causes), now);
  }
}
