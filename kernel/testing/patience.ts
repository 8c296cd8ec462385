/**
 * Milliseconds that a test waits for what has to happen: a machine on which much else runs is many times slower than an idle one, and
 * what hangs still ends by it. Shorter than a test may take (`testTimeout` in jest.config.ts), so that the test says what was missing.
 */
export const PATIENCE_MS = 120_000;
