import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line of a stack trace that names a place in a source. */
export interface StackFrame {
  /** The line without what is before `at`. */
  readonly text: string;
  /** The function as V8 names it, such as `new Shop` or `Object.get [as price]`; empty where it has no name. */
  readonly name: string;
  /** The source as the line has it: a path, a URL, or a name such as `node:fs`. */
  readonly source: string;
  /** Absolute path of the source; undefined where it is no file of this machine. */
  readonly file: string | undefined;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

// `at async name (source:line:column)`, `at source:line:column`: https://v8.dev/docs/stack-trace-api
const FRAME = /^\s+(at (?:async )?(.*):(\d+):(\d+)\)?)$/;
const SOURCE = String.raw`(?:file:|node:|[\\/]|[A-Za-z]:[\\/])`;
const NAMELESS = new RegExp(`^${SOURCE}`);
/** What separates a name from its source; both may hold parentheses. */
const BEFORE_SOURCE = new RegExp(String.raw` \((?=${SOURCE})`);

/** Reads a line of a stack trace. Undefined for other lines, for code of `eval`, and for a frame without a place, such as `(<anonymous>)`. */
export function stackFrame(text: string): StackFrame | undefined {
  const [, shown, at, line, column] = FRAME.exec(text) ?? [];
  if (shown === undefined || at === undefined) return undefined;
  const before = NAMELESS.test(at) ? -1 : (BEFORE_SOURCE.exec(at)?.index ?? at.lastIndexOf(' ('));
  const name = at.slice(0, Math.max(before, 0));
  // The place behind it is that of the call of `eval`, and the one at the end counts lines of the code that it was given.
  if (/(?:^|\()eval at /.test(name)) return undefined;
  const source = before < 0 ? at : at.slice(before + 2);
  return {
    text: shown,
    name: name === '<anonymous>' ? '' : name,
    source,
    file: fileOf(source),
    line: Number(line),
    column: Number(column),
  };
}

/** The frames of a stack trace that name a place, the innermost first; see {@link stackFrame}. */
export function stackFrames(stack: string): readonly StackFrame[] {
  return stack.split('\n').flatMap((line) => stackFrame(line) ?? []);
}

// The text of an error may have lines that look like frames: URLs that name no file, and paths of other systems.
function fileOf(source: string): string | undefined {
  try {
    const file = source.startsWith('file:') ? fileURLToPath(source) : source;
    return path.isAbsolute(file) ? path.resolve(file) : undefined;
  } catch {
    return undefined;
  }
}
