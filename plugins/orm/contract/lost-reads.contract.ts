import { expect, test } from '@jest/globals';
import { FaultProxy } from '../../../kernel/testing/fault-proxy.js';

/** Where a read goes, and how long it may take. */
interface LostRead {
  readonly address: string;
  readonly login: string;
  readonly timeoutMs: number;
  readonly connectTimeout: number;
}

/**
 * What a read of two rows does when its server is lost, wherever that is: it ends, with the rows or with a coded error.
 *
 * @param places - of the database and of a login that only reads; asked when a test runs
 */
export function lostReadsContract(
  places: () => Pick<LostRead, 'address' | 'login'>,
  read: (lost: LostRead) => Promise<unknown>,
): void {
  test.each(['reset', 'close', 'silence'] as const)(
    'give up a server that is lost, wherever that is (%s)',
    async (fault) => {
      const { address, login } = places();
      const proxy = await FaultProxy.to(login);
      const through = Object.assign(new URL(login), { port: String(proxy.port) }).href;
      try {
        for (let after = 1; ; after++) {
          proxy.plan(after, fault);
          const lost = { address, login: through, timeoutMs: 1_000, connectTimeout: 200 };
          const outcome = await read(lost).catch((error: unknown) => error);
          if (proxy.isPlanned) break;
          // Behind the last answer only the farewell is missing.
          if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'FW_ORM_CONNECTION' });
          else expect(outcome).toMatchObject({ rows: [[1], [2]] });
        }
      } finally {
        await proxy.close();
      }
    },
  );
}
