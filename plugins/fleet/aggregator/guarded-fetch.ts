import type { LookupFunction } from 'node:net';
import { fwError, isFwError, runInRequestContext } from '../../../kernel/index.js';
import { exchange } from '../../../kernel/net/index.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import { guardUrl, type GuardedAddress } from './url-guard.js';

/** What a fetch may take. */
interface FetchLimits {
  /** Milliseconds. */
  readonly timeout: number;
  readonly maxBytes: number;
  readonly allowedHosts: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer. */
export interface Fetched {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * `GET`s a URL that somebody else named: guarded, to the address that was checked, without following redirects, without trace headers (the
 * called service must not record it in a trace).
 *
 * @throws FwError `FW_FLEET_URL_REFUSED`, or `FW_FLEET_FETCH_FAILED`
 */
export async function guardedFetch(url: string, limits: FetchLimits): Promise<Fetched> {
  const target = await guardUrl(url, limits.allowedHosts);
  try {
    // Without the context of the current request, because this fetch is not a call of that request.
    return await runInRequestContext(undefined, () => get(target, limits));
  } catch (cause) {
    if (isFwError(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message || 'no connection' : String(cause);
    throw fwError(AGGREGATOR_ERRORS.FW_FLEET_FETCH_FAILED, { host: target.url.host, reason }, { cause });
  }
}

/** Like {@link guardedFetch}, for an answer that has to be a success. */
export async function guardedText(url: string, limits: FetchLimits): Promise<Buffer> {
  const { status, body } = await guardedFetch(url, limits);
  if (status >= 200 && status <= 299) return body;
  throw fwError(AGGREGATOR_ERRORS.FW_FLEET_FETCH_FAILED, { host: new URL(url).host, reason: `it answered ${status}` });
}

async function get(
  { url, address, family }: GuardedAddress,
  { timeout: timeoutMs, maxBytes, headers }: FetchLimits,
): Promise<Fetched> {
  const sent = { accept: 'application/json', 'user-agent': 'fw-fleet/1', ...headers };
  const lookup = alwaysTo(address, family);
  const { truncated, ...fetched } = await exchange({ url: url.href, headers: sent, timeoutMs, maxBytes, lookup });
  if (!truncated) return fetched;
  const reason = `its answer is larger than ${maxBytes} bytes`;
  throw fwError(AGGREGATOR_ERRORS.FW_FLEET_FETCH_FAILED, { host: url.host, reason });
}

function alwaysTo(address: string, family: 4 | 6): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
