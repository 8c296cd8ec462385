import { type Static, Type } from '../../../kernel/index.js';
import { Integer, Numeric, optional, optionalText, Text } from '../../../kernel/schema/index.js';

/** One message of a compiler or linter. */
export const Diagnostic = Type.Object({
  file: Type.String({ description: 'relative to the project' }),
  line: Integer,
  column: optional(Integer),
  code: optional(Text),
  message: Text,
  package: optionalText('Go package'),
  excerpt: optionalText('the line itself'),
  alike: optional(Type.Integer({ description: 'more of the same cause' })),
});
export type Diagnostic = Static<typeof Diagnostic>;

/** Messages parsed from the output of a program, and the rest of the output. */
export interface ParsedOutput {
  readonly diagnostics: readonly Diagnostic[];
  readonly rest: string;
}

/** A test that failed. */
export const TestFailure = Type.Object({
  name: Text,
  file: Text,
  line: optional(Integer),
  detail: Type.String({ description: 'the smallest useful part of the message' }),
  excerpt: optionalText('the line of the test'),
  alike: optional(Type.Integer({ description: 'more of the same cause' })),
});
export type TestFailure = Static<typeof TestFailure>;

/** A Go package or a test file, as a whole. */
export const TestPackage = Type.Object({
  package: Type.String({ description: 'Go package, or test file relative to the project' }),
  status: Type.Union([Type.Literal('ok'), Type.Literal('FAIL'), Type.Literal('no-test-files')]),
  elapsed_seconds: optional(Numeric),
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
