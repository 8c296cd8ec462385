import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BuildFailure } from 'esbuild';
import type { ToldError } from '../../kernel/dev/index.js';
import { isFwError, messageOf, stackFrames, type StackFrame } from '../../kernel/errors/index.js';
import type { SourceProblem } from '../engine/source-problem.js';
import { codeFrame, type Place } from './code-frame.js';
import { isInside } from '../../kernel/values/index.js';

/** Something that keeps the application from running, as it is displayed. */
export interface Problem {
  /** What failed: `does not build`. */
  readonly title: string;
  readonly details: readonly ProblemDetail[];
}

/** One mistake. */
interface ProblemDetail {
  readonly message: string;
  /** `file:line:column`, the file relative to the project; undefined if unknown. */
  readonly place?: string;
  /** Lines of the source; empty without a place. */
  readonly frame: string;
  /** The stack, or other text. */
  readonly more?: string;
}

const MOST_DETAILS = 10;

/** Mistakes that code generation found. */
export function codegenProblem(root: string, problems: readonly SourceProblem[]): Problem {
  const details = problems.map(({ message, ...place }) => detail(root, message, place));
  return { title: 'Code generation found mistakes', details: details.slice(0, MOST_DETAILS) };
}

/** The error of a build. */
export function buildProblem(root: string, error: unknown): Problem {
  const title = 'The application does not build';
  const failure = isFwError(error) ? error.cause : undefined;
  if (!isBundlers(failure)) return { title, details: [detail(root, messageOf(error))] };
  const details = failure.errors.map(({ text, location, notes }) => {
    const place = location
      ? { file: path.resolve(root, location.file), line: location.line, column: location.column + 1 }
      : undefined;
    const more = notes.map((note) => note.text).join('\n');
    return { ...detail(root, text, place), ...(more !== '' && { more }) };
  });
  return { title, details: details.slice(0, MOST_DETAILS) };
}

/** The error that ended the application, as it reported it. */
export function appProblem(root: string, title: string, { code, message, stack, hint }: ToldError): Problem {
  const place = placeIn(root, stack);
  const said = code !== undefined && code.startsWith('FW_') ? `${code}: ${message}` : message;
  const more = [hint, ownFrames(root, stack)].filter((each) => each !== undefined && each !== '').join('\n');
  return { title, details: [{ ...detail(root, said, place), ...(more !== '' && { more }) }] };
}

/** Anything else. */
export const otherProblem = (title: string, message: string): Problem => ({
  title,
  details: [{ message, frame: '' }],
});

/** A problem for a terminal. */
export function problemText({ title, details }: Problem, paint: (text: string) => string = (text) => text): string {
  const parts = details.map(({ message, place, frame, more }) => {
    const at = place === undefined ? '' : `${place}\n`;
    return `${at}${paint(message)}\n${frame === '' ? '' : `${indented(frame)}\n`}${more === undefined ? '' : `${indented(more)}\n`}`;
  });
  return `${paint(title)}\n\n${parts.join('\n')}`;
}

const indented = (text: string): string => text.replace(/^/gm, '  ');

function detail(root: string, message: string, place?: Place): ProblemDetail {
  if (place === undefined) return { message, frame: '' };
  const { file, line, column } = place;
  const shown = isInside(file, root) ? path.relative(root, file) : file;
  return { message, place: `${shown}:${line}:${column}`, frame: codeFrame(place) };
}

const isBundlers = (error: unknown): error is BuildFailure => error instanceof Error && 'errors' in error;

/** A stack frame in a file. */
type FileFrame = StackFrame & Place;

// The place of the first stack frame in the application's own code.
function placeIn(root: string, stack: string): Place | undefined {
  // Node writes the place of a syntax error above the stack.
  const frames = stackFrames(stack.replace(/^(?=file:)/gm, '    at '));
  return frames.find((frame) => isOwn(root, frame));
}

function isOwn(root: string, frame: StackFrame): frame is FileFrame {
  const { file } = frame;
  if (file === undefined || !isInside(file, root)) return false;
  return !/[\\/]node_modules[\\/]/.test(file.slice(root.length)) && existsSync(file);
}

// Only the stack frames of the application, which the reader can change.
function ownFrames(root: string, stack: string): string {
  const own = stackFrames(stack).filter((frame) => isOwn(root, frame));
  return own.map(({ text, source, file }) => text.replace(source, () => path.relative(root, file))).join('\n');
}
