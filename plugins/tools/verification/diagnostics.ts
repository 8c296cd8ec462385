import { type Static, Type } from '../../../kernel/index.js';

/** One message of a compiler or linter. */
export const Diagnostic = Type.Object({
  file: Type.String({ description: 'relative to the project' }),
  line: Type.Integer(),
  column: Type.Optional(Type.Integer()),
  code: Type.Optional(Type.String()),
  message: Type.String(),
  package: Type.Optional(Type.String({ description: 'Go package' })),
  excerpt: Type.Optional(Type.String({ description: 'the line itself' })),
  alike: Type.Optional(Type.Integer({ description: 'more of the same cause' })),
});
export type Diagnostic = Static<typeof Diagnostic>;

/** Messages parsed from the output of a program, and the rest of the output. */
export interface ParsedOutput {
  readonly diagnostics: readonly Diagnostic[];
  readonly rest: string;
}

/** A test that failed. */
export const TestFailure = Type.Object({
  name: Type.String(),
  file: Type.String(),
  line: Type.Optional(Type.Integer()),
  detail: Type.String({ description: 'the smallest useful part of the message' }),
  excerpt: Type.Optional(Type.String({ description: 'the line of the test' })),
  alike: Type.Optional(Type.Integer({ description: 'more of the same cause' })),
});
export type TestFailure = Static<typeof TestFailure>;

/** A Go package or a test file, as a whole. */
export const TestPackage = Type.Object({
  package: Type.String({ description: 'Go package, or test file relative to the project' }),
  status: Type.Union([Type.Literal('ok'), Type.Literal('FAIL'), Type.Literal('no-test-files')]),
  elapsed_seconds: Type.Optional(Type.Number()),
});
export type TestPackage = Static<typeof TestPackage>;

/** Outcome of a test run. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
  readonly packages: readonly TestPackage[];
}

const EXCERPT_LINES = 12;
const EXCERPT_CHARACTERS = 1_000;

/** The beginning of a message without colours and without the frames of libraries. */
export function excerpt(message: string): string {
  const lines = plain(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(node_modules|node:internal)/.test(line));
  return lines.slice(0, EXCERPT_LINES).join('\n').slice(0, EXCERPT_CHARACTERS);
}

/** Text without the escape sequences that colour it (ECMA-48 SGR). */
export function plain(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, '');
}

/** The value that a text holds as JSON; undefined when it is something else. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
