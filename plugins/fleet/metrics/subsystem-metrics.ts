import type { Diagnostics } from '../../../kernel/index.js';
import { Gauge, type Registry } from 'prom-client';
import { isObject } from '../../../kernel/values/index.js';

/** Most exported numbers of one probe. */
const MOST = 100;
/** Names that are usable as label values; others are skipped. */
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const STATES = ['ok', 'degraded', 'off', 'unknown'] as const;

/**
 * Exports the state and the numbers of all probes, read at each scrape. Among them are buffers, losses and fill levels of the tracer and
 * the aggregator.
 */
export function exportProbes(registry: Registry, diagnostics: Pick<Diagnostics, 'snapshot'>): void {
  const registers = [registry];
  new Gauge({
    name: 'fw_probe_state',
    help: '1 for the state that a subsystem is in.',
    labelNames: ['subsystem', 'state'],
    registers,
    // Fills both metrics from one reading of the probes; metrics are collected in the order of their creation.
    collect() {
      this.reset();
      numbers.reset();
      for (const { subsystem, status, detail = {} } of diagnostics.snapshot()) {
        for (const state of STATES) this.set({ subsystem, state }, Number(state === status));
        for (const [name, value] of numbersOf(detail)) numbers.set({ subsystem, name }, value);
      }
    },
  });
  const numbers = new Gauge({
    name: 'fw_probe_value',
    help: 'Numbers of subsystems, as GET /dashboard/api/diagnostics has them.',
    labelNames: ['subsystem', 'name'],
    registers,
  });
}

// Those of parts, such as a queue of the subsystem, come after its own.
function numbersOf(detail: object): readonly (readonly [string, number])[] {
  const members = Object.entries(detail) as readonly (readonly [string, unknown])[];
  const parts = members.flatMap(([part, value]) =>
    isObject(value) ? Object.entries(value).map(([name, inner]) => [`${part}_${name}`, inner] as const) : [],
  );
  return [...members, ...parts]
    .flatMap(([name, value]) =>
      typeof value === 'number' && Number.isFinite(value) && NAME.test(name) ? [[name, value] as const] : [],
    )
    .slice(0, MOST);
}
