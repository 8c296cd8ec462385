import type { ToolContext } from '../../../kernel/index.js';
import { readLive } from '../runtime/index.js';
import { type Aggregator, aggregatorEndpoint } from './aggregator-input.js';
import { orNote } from './read-trace.js';
import { type NotChecked, Stats } from './wire.js';

/** Bodies that the aggregator did not check, newest first; a note where it does not tell. */
export async function readNotChecked(given: Aggregator, context: ToolContext) {
  const endpoint = await aggregatorEndpoint(given, context, 'stats');
  const reading = readLive({ ...endpoint, what: 'what was not checked', schema: Stats }, context).then(
    ({ contracts }) => contracts?.not_checked ?? [],
  );
  return orNote<NotChecked[]>(reading, []);
}
