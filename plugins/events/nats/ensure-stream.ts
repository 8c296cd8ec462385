import { type JetStreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { fwError } from '../../../kernel/index.js';
import { NATS_ERRORS } from './errors.js';
import type { checkedOptions } from './options.js';

/** JetStream's names of the limits, and its values for "no limit" (NATS documentation, "Streams": MaxBytes, MaxAge). */
const LIMITS = [
  { option: 'maxBytes', field: 'max_bytes', none: -1, unit: 1, in: 'bytes' },
  { option: 'maxAge', field: 'max_age', none: 0, unit: 1e6, in: 'milliseconds' },
] as const;

/**
 * Makes the stream when there is none. The limits of an existing stream are raised to those of the options, never lowered: that would
 * delete messages that another service may still want to read, so a higher limit only causes a warning. Limits that the options leave out
 * do not change.
 *
 * @throws FwError `FW_NATS_STREAM` when the stream has other subjects
 */
export async function ensureStream(
  manager: JetStreamManager,
  { stream, maxBytes, maxAge, asked, log }: ReturnType<typeof checkedOptions>,
): Promise<void> {
  const expected = `${stream}.>`;
  const known = await manager.streams.info(stream).catch(() => undefined);
  if (known === undefined) {
    const limits = { max_bytes: maxBytes, max_age: maxAge * 1e6 };
    await manager.streams.add({ name: stream, subjects: [expected], ...limits, storage: StorageType.File, retention: RetentionPolicy.Limits }); // prettier-ignore
    return;
  }
  const { config } = known;
  if (!config.subjects.includes(expected)) {
    throw fwError(NATS_ERRORS.FW_NATS_STREAM, { stream, subjects: config.subjects.join(', '), expected });
  }
  const raised: { max_bytes?: number; max_age?: number } = {};
  for (const { option, field, none, unit, in: of } of LIMITS) {
    const [wanted, has] = [asked[option], config[field]];
    if (wanted === undefined || wanted * unit === has) continue;
    if (has !== none && wanted * unit > has) raised[field] = wanted * unit;
    else {
      const kept = has === none ? 'without a limit' : `up to ${has / unit} ${of}`;
      log?.warn({ stream, option }, `the stream ${stream} keeps messages ${kept}, not ${wanted} ${of} as ${option} says: lowering it would delete messages; do that with "nats stream edit", or change the option`); // prettier-ignore
    }
  }
  if (Object.keys(raised).length > 0) await manager.streams.update(stream, { ...config, ...raised });
}
