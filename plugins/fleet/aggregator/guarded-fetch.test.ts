import { expect, test } from '@jest/globals';
import { LIES, lyingServer } from '../../../kernel/testing/lying-servers.js';
import { guardedFetch } from './guarded-fetch.js';

const LIMITS = { timeout: 150, maxBytes: 10_000, allowedHosts: [] };
/** More than kernels hold between two sockets, and far below what a lying server would like to send. */
const MOST_BYTES = 32 * 1024 * 1024;

test.each(Object.keys(LIES))(
  'asking a service that %s comes to an end within its limits, and says why',
  async (lie) => {
    await using server = await lyingServer(LIES[lie] as never);
    const outcome = await guardedFetch(`${server.url}/openapi.json`, LIMITS).catch((error: unknown) => error);
    const { body } = outcome as { readonly body?: Buffer };
    if (body === undefined) expect(outcome).toMatchObject({ code: 'FW_FLEET_FETCH_FAILED' });
    else expect(body.length).toBeLessThanOrEqual(LIMITS.maxBytes);
    expect(server.written).toBeLessThan(MOST_BYTES);
  },
);
