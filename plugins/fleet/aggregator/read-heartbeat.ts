import { fwError } from '../../../kernel/index.js';
import type { CallerCount, HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import { objectOf } from '../../../kernel/values/index.js';
import { BUCKETS, MAX_CALLERS } from '../recorded/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';

const MAX_NAME = 128;
const MAX_URL = 2_048;

/**
 * Reads a heartbeat; members of a wrong type are left out.
 * @throws FwError `FW_FLEET_HEARTBEAT_MALFORMED` when it names no service
 */
export function readHeartbeat(body: unknown): HeartbeatRecord {
  const wire = objectOf(body);
  const service = text(wire['service'], MAX_NAME)?.trim();
  if (!service) throw fwError(AGGREGATOR_ERRORS.FW_FLEET_HEARTBEAT_MALFORMED, {});
  const read = {
    instance_id: text(wire['instance_id'], MAX_NAME),
    version: text(wire['version'], MAX_NAME),
    rps: atLeastZero(wire['rps']),
    error_rate: share(wire['error_rate']),
    durations: durationsOf(wire['durations']),
    errors: atLeastZero(wire['errors']),
    callers: callersOf(wire['callers']),
    openapi_hash: text(wire['openapi_hash'], MAX_NAME),
    openapi_url: text(wire['openapi_url'], MAX_URL),
    service_url: text(wire['service_url'], MAX_URL),
    dashboard_url: text(wire['dashboard_url'], MAX_URL),
    logs_url: text(wire['logs_url'], MAX_URL),
  };
  return { service, ...Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) };
}

function text(value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return value.length <= limit ? value : Buffer.from(value.slice(0, limit)).toString();
}

function atLeastZero(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Most requests that one heartbeat is believed to tell of, per duration. */
const MOST_REQUESTS = 1e9;

// All or nothing: a part of the requests would look like all of them.
function durationsOf(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length > 2 * BUCKETS || value.length % 2 === 1) return undefined;
  return value.every((each) => (atLeastZero(each) ?? Infinity) <= MOST_REQUESTS) ? (value as number[]) : undefined;
}

// All or nothing again: an edge that is left out would have its rate from spans, which know less.
function callersOf(value: unknown): readonly CallerCount[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_CALLERS) return undefined;
  const read = value.map(callerOf);
  return read.includes(undefined) ? undefined : (read as CallerCount[]);
}

function callerOf(value: unknown): CallerCount | undefined {
  const wire = objectOf(value);
  const service = text(wire['service'], MAX_NAME);
  const [durations, errors] = [durationsOf(wire['durations']), atLeastZero(wire['errors'])];
  return service === undefined || durations === undefined || errors === undefined
    ? undefined
    : { service, durations, errors };
}

function share(value: unknown): number | undefined {
  const number = atLeastZero(value);
  return number === undefined ? undefined : Math.min(1, number);
}
