import type { EventBackend, EventBackendStats } from '../contracts/events.js';
import { degraded, ok, type ProbeReport } from '../diagnostics/probe.js';
import type { LocalEventBus } from './local-event-bus.js';

/**
 * Report of subsystem `events`: what the bus and the application's own backend have done, whether listeners fail, and what was dropped.
 *
 * @param backend - undefined until somebody uses it
 */
export function eventsProbe<Events>(bus: LocalEventBus<Events>, backend?: EventBackend): ProbeReport {
  const { failures, dropped, events, listeners, dispatches, calls } = bus.metrics();
  const stats = backend?.stats();
  const detail = { ...detailOf(bus), ...(stats && { backend: { name: backend?.name, ...stats } }) };
  const notes = [...notesOf(failures, dropped), ...notesOfBackend(stats)];
  const summary = `${dispatches} dispatches, ${calls} listener calls; ${listeners} listeners of ${events} events`;
  return notes.length === 0 ? ok(summary, { detail }) : degraded(summary, { detail, notes });
}

function notesOf(failures: number, dropped: number): readonly string[] {
  const notes: string[] = [];
  if (failures > 0) notes.push(`${failures} listener calls failed; the log names the listeners.`);
  if (dropped > 0) notes.push(`${dropped} events were dropped because their queue was full: listeners are too slow.`);
  return notes;
}

function notesOfBackend(stats: EventBackendStats | undefined): readonly string[] {
  const notes: string[] = [];
  if (stats && stats.failed > 0)
    notes.push(`${stats.failed} messages failed in their handlers; the log names the topics.`);
  if (stats && stats.dropped > 0) notes.push(`${stats.dropped} messages were dropped: their handlers are too slow.`);
  return notes;
}

function detailOf<Events>(bus: LocalEventBus<Events>): Record<string, unknown> {
  const metrics = bus.metrics();
  const { recorder, settings } = bus;
  const [last] = recorder.newest(1);
  return {
    events_registered: metrics.events,
    listeners: metrics.listeners,
    dispatches: metrics.dispatches,
    unheard: metrics.unheard,
    listener_calls: metrics.calls,
    failures: metrics.failures,
    observer_failures: metrics.observerFailures,
    stopped: metrics.stopped,
    filtered: metrics.filtered,
    avg_ms: metrics.dispatches === 0 ? 0 : metrics.totalMs / metrics.dispatches,
    max_ms: metrics.maxMs,
    observer_attached: bus.observed,
    recorder: {
      enabled: recorder.capacity > 0,
      payloads: settings.recordPayloads,
      size: recorder.size,
      capacity: recorder.capacity,
      written: recorder.size + recorder.dropped,
      evicted: recorder.dropped,
    },
    ...(last && {
      last_dispatch: { name: last.name, at: new Date(last.at).toISOString(), duration_ms: last.durationMs },
    }),
    pool: {
      workers: settings.concurrency,
      pending: metrics.running,
      queued: metrics.waiting,
      dropped: metrics.dropped,
      capacity: settings.queueCapacity,
    },
  };
}
