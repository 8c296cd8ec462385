/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

/**
 * Tests that run after the others: a fleet of containers brings network interfaces up and down, and a browser drops its connections whenever
 * it sees that. It waits much, so that long ones without a browser run beside it.
 */
const APART = [
  '/kernel/e2e/scenarios/provisioning\\.test\\.ts$',
  '/kernel/e2e/scenarios/killed-commands\\.test\\.ts$',
  '/kernel/e2e/scenarios/third-party-dialect\\.test\\.ts$',
];

/** What compilers say of the same text is the same on every Node: said once, where a run on several says it on another. */
const OF_SOURCES = [
  '/kernel/e2e/scenarios/typescript-versions\\.test\\.ts$',
  '/kernel/e2e/scenarios/generated-resources\\.test\\.ts$',
  '/kernel/contracts/type-cost\\.test\\.ts$',
  '/codegen/text/generated-style\\.test\\.ts$',
  '/kernel/e2e/scenarios/supply-chain\\.test\\.ts$',
];

const config: Config = {
  testEnvironment: '<rootDir>/kernel/testing/jest-environment.cjs',
  // The sources themselves, not dist/: `fw/http` and its kin resolve through this condition of package.json's exports.
  testEnvironmentOptions: { customExportConditions: ['fw-source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/kernel/testing/seeded-fast-check.mjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: { '^.+\\.tsx?$': '<rootDir>/kernel/testing/jest-transform.cjs' },
  reporters: ['default', ...(process.env['FW_TEST_RESULTS'] ? ['<rootDir>/kernel/testing/results-reporter.cjs'] : [])],
  runtime: '<rootDir>/kernel/testing/jest-runtime.cjs',
  testSequencer: '<rootDir>/kernel/testing/jest-sequencer.cjs',
  globalSetup: '<rootDir>/kernel/testing/own-state-folder.mjs',
  globalTeardown: '<rootDir>/kernel/testing/remove-state-folder.mjs',
  testMatch: ['<rootDir>/{kernel,plugins,codegen,docs/examples,docs/benchmarks/agents}/**/*.test.ts'],
  testPathIgnorePatterns: [
    ...['/node_modules/', '/dist/', '\\.types\\.test\\.ts$'],
    ...(process.env['FW_TEST_PART'] === 'together' ? APART : []),
    ...(process.env['FW_TEST_SOURCES'] === 'checked' ? OF_SOURCES : []),
  ],
  ...(process.env['FW_TEST_PART'] === 'apart' && { testRegex: APART, testMatch: undefined }),
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  coverageProvider: 'v8',
  // One more than a small machine has cores: many tests wait, for servers, brokers, browsers and containers.
  maxWorkers: 3,
  // Modules of one test file are not all freed before the next: a worker that has grown is replaced.
  workerIdleMemoryLimit: '2GB',
  // What hangs ends by it; no test of a slow and loaded machine does (kernel/testing/patience.ts).
  testTimeout: 240_000,
};

export default config;
