import { hasFailed, type SpanView } from './spans.js';

/** What stands for whoever called the first service. No service has an empty name. */
export const OUTSIDE = '';

/** All calls of one service by another within a trace. */
export interface Hop {
  readonly caller: string;
  readonly callee: string;
  readonly calls: number;
  /** Milliseconds, of all calls together. */
  readonly total: number;
  /** Milliseconds from the beginning of the trace: the first call, and the last answer. */
  readonly start: number;
  readonly end: number;
  readonly worstStatus: number;
  readonly failed: boolean;
  /** One for each call. */
  readonly spans: readonly SpanView[];
}

/** Between whom a trace went, in the order of the first calls. Queries and other work inside of a service are no hops. */
export function hopsOf(spans: readonly SpanView[]): readonly Hop[] {
  const calls = new Map<string, SpanView[]>();
  for (const span of spans) {
    const { service, kind = 'server' } = span.node;
    if (kind !== 'server' || service === '' || span.caller === service) continue;
    const key = hopKey(span.caller, service);
    const known = calls.get(key);
    if (known) known.push(span);
    else calls.set(key, [span]);
  }
  return [...calls.values()].map(hopOf).sort((a, b) => a.start - b.start);
}

/** Name of a pair of services. */
export function hopKey(caller: string, callee: string): string {
  return `${caller}\0${callee}`;
}

function hopOf(spans: readonly SpanView[]): Hop {
  const [{ caller, node }] = spans as [SpanView];
  return {
    caller,
    callee: node.service,
    calls: spans.length,
    total: spans.reduce((sum, each) => sum + each.node.duration_ms, 0),
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
    worstStatus: Math.max(...spans.map((each) => each.node.status)),
    failed: spans.some((each) => hasFailed(each.node)),
    spans,
  };
}

/** What the two arcs of a hop show at a moment. */
interface ArcState {
  readonly request: 'waiting' | 'running' | 'done';
  /** Lights once the cursor has passed the last span; red when the worst status was a 5xx (SPEC "Fleet operations", 9). */
  readonly response: 'waiting' | 'answered' | 'failed';
}

/** @param at - milliseconds of the trace; undefined for a trace that is shown as it ended */
export function arcStateAt({ start, end, worstStatus }: Hop, at: number | undefined): ArcState {
  const isOver = at === undefined || at >= end;
  if (isOver) return { request: 'done', response: worstStatus >= 500 ? 'failed' : 'answered' };
  return { request: at >= start ? 'running' : 'waiting', response: 'waiting' };
}

/** A dot that travels along an arc. */
export interface Pulse {
  readonly hop: Hop;
  readonly way: 'request' | 'response';
  /** 0 at the beginning of the arc, 1 at its end. */
  readonly share: number;
  readonly failed: boolean;
}

/** Dots at once; more would be a line anyway. */
const MAX_PULSES = 60;

/**
 * The dots on the arcs at a moment of the playback: one leaves with each call and one with each answer.
 * @param playTime - milliseconds of the playback for milliseconds of the trace
 */
export function pulsesAt(
  hops: readonly Hop[],
  played: number,
  playTime: (at: number) => number,
  pulseMs: number,
): readonly Pulse[] {
  const pulses: Pulse[] = [];
  for (const hop of hops) {
    for (const { start, end, node } of hop.spans) {
      const failed = node.status >= 500;
      const out = (played - playTime(start)) / pulseMs;
      if (out >= 0 && out < 1) pulses.push({ hop, way: 'request', share: out, failed: false });
      const back = (played - playTime(end)) / pulseMs;
      if (back >= 0 && back < 1) pulses.push({ hop, way: 'response', share: back, failed });
      if (pulses.length >= MAX_PULSES) return pulses.slice(0, MAX_PULSES);
    }
  }
  return pulses;
}
