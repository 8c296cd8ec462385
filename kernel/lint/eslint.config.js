import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// One room per concept: each of these packages or built-ins may be imported in one place only (see docs/decisions).
const OWNED = [
  { name: 'inversify', owner: 'kernel/container', message: 'Only kernel/container touches Inversify; use tokens.' },
  { name: 'node:child_process', owner: 'kernel/process', message: 'Only kernel/process spawns; use runProcess.' },
  { name: 'child_process', owner: 'kernel/process', message: 'Only kernel/process spawns; use runProcess.' },
  { name: 'ajv', owner: 'kernel/schema', message: 'Only kernel/schema touches Ajv; use validatorOf.' },
];

const restricted = (owned) => ({
  'no-restricted-imports': [
    'error',
    { paths: owned.map(({ name, message }) => ({ name, message, allowTypeImports: name === 'ajv' })) },
  ],
});

export default defineConfig(
  globalIgnores([
    'dist/',
    'generated/',
    'coverage/',
    'docs/benchmarks/**/*.mjs',
    'docs/benchmarks/orm/',
    'docs/benchmarks/request/',
    '**/*.d.ts',
  ]),
  tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: process.cwd() } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-redeclare': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-properties': [
        'error',
        {
          object: 'Date',
          property: 'now',
          message: 'Clocks are set: systemClock.now() tells a moment, monotonicMs() measures a time.',
        },
        {
          object: 'AbortSignal',
          property: 'any',
          message: 'It loses timeouts to the garbage collection: anySignal() of kernel/contracts keeps them.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "ThrowStatement > NewExpression[callee.name='Error']",
          message: 'Errors are an API: throw an FwError from a code table (kernel/errors).',
        },
      ],
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'max-lines': ['warn', { max: 600, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 80, skipBlankLines: true, skipComments: true }],
      ...restricted(OWNED),
    },
  },
  ...OWNED.filter(({ name }) => name !== 'child_process').map(({ name, owner }) => ({
    files: [`${owner}/**/*.ts`],
    rules: restricted(OWNED.filter((each) => each.name.replace('node:', '') !== name.replace('node:', ''))),
  })),
  {
    files: ['**/*.test.ts', '**/*.contract.ts', 'kernel/testing/**', 'docs/examples/**'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    // Where the clock itself is read, and signals are joined; and a browser has no other.
    files: [
      'kernel/contracts/clock.ts',
      'kernel/contracts/any-signal.ts',
      'plugins/dashboard/ui/**',
      '**/*.test.ts',
      '**/*.contract.ts',
      '**/testing/**',
      'docs/examples/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['**/*.mjs', '**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
