import { describe, test } from '@jest/globals';

/** A server that tests need and that not every machine has. */
export interface RequiredService {
  /** Environment variable that holds its address. */
  readonly variable: string;
  /** What it is and how to get it, for the line that a skip prints. */
  readonly hint: string;
}

/**
 * Declares tests that need a server. Without its address they are skipped, with one line that says what is missing;
 * `FW_TEST_REQUIRE=all` turns the skip into a failure. There are no default addresses, so that nobody's own server is touched.
 *
 * @example describeWith({ variable: 'FW_TEST_POSTGRES', hint: 'PostgreSQL 13 or later' }, 'postgres', (url) => { ... });
 */
export function describeWith(
  { variable, hint }: RequiredService,
  name: string,
  tests: (address: string) => void,
): void {
  describeIfThere(process.env[variable] || undefined, `set ${variable} to the address of ${hint}`, name, tests);
}

/**
 * Declares tests that need something of the machine. Without it they are skipped, with one line that says how to get it;
 * `FW_TEST_REQUIRE=all` turns the skip into a failure.
 *
 * @param found - the needed thing; undefined if the machine does not have it
 * @param need - what is missing, and how to get it
 * @example describeIfThere((await findCommand('zsh'))?.path, 'no zsh: apt-get install zsh', 'zsh', (zsh) => { ... });
 */
export function describeIfThere<Found>(
  found: Found | undefined,
  need: string,
  name: string,
  tests: (found: Found) => void,
): void {
  if (found !== undefined) return describe(name, () => tests(found));
  const missing = `${name}: ${need}`;
  if (process.env['FW_TEST_REQUIRE'] !== 'all') return test.skip(`skipped, ${missing}`, () => undefined);
  test(missing, () => {
    throw new Error(`FW_TEST_REQUIRE=all, but something is missing: ${missing}.`);
  });
}
