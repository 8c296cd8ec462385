import { fwError } from '../../../kernel/index.js';
import type { SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import { objectOf } from '../../../kernel/values/index.js';
import type { Aggregator } from './aggregator.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import { recordOf } from './stored-span.js';
import type { StoredTrace } from './stored-trace.js';

const FORMAT = 'fw-fleet-export';

/** Spans as a file, of one trace or of everything that is kept. */
export function* exportText(traces: Iterable<StoredTrace>, exportedAt: number): Generator<string> {
  yield `{"format":"${FORMAT}","version":1,"exported_unix":${Math.floor(exportedAt / 1000)},"spans":[`;
  let isFirst = true;
  for (const { traceId, spans } of traces) {
    const texts = spans.map((span) => JSON.stringify(recordOf(traceId, span)));
    if (texts.length > 0) yield `${isFirst ? '' : ','}\n${texts.join(',\n')}`;
    isFirst = false;
  }
  yield '\n]}\n';
}

/**
 * Takes an exported file in, like batches of spans.
 * @returns how many spans it had
 * @throws FwError `FW_FLEET_IMPORT`, or what a batch may throw
 */
export function importSpans(aggregator: Aggregator, file: unknown): number {
  const { format, version, spans } = objectOf(file);
  if (format !== FORMAT || version !== 1)
    throw refused(`expected {"format": "${FORMAT}", "version": 1, "spans": [...]}`);
  if (!Array.isArray(spans)) throw refused('its spans are no array');
  const { maxBatchSpans } = aggregator.settings;
  for (let at = 0; at < spans.length; at += maxBatchSpans) {
    aggregator.acceptSpans(spans.slice(at, at + maxBatchSpans) as SpanRecord[]);
  }
  return spans.length;
}

function refused(reason: string) {
  return fwError(AGGREGATOR_ERRORS.FW_FLEET_IMPORT, { reason });
}
