import path from 'node:path';
import { isFwError, stackFrames, type StackFrame } from '../../../kernel/errors/index.js';
import { frameworkFolder } from '../../../kernel/plugin/index.js';
import { cutText, maskSecrets } from '../../../kernel/log/index.js';
import type { CauseFacts } from '../wire/api.js';

const MAX_MESSAGE = 1_000;
const MAX_STACK = 6_000;
const MAX_FRAMES = 6;
const MAX_DEPTH = 5;

/** Folders of the framework, for an application inside its checkout. */
const FRAMEWORK_ROOMS = ['kernel', 'plugins', 'codegen', 'dist'];

/**
 * Facts about an error, with secrets masked.
 * @param root - folder of the application: lines below it are its own
 */
export function causeFacts(error: unknown, root: string, stackText?: string): CauseFacts {
  const chain = chainOf(error);
  const stack = cutText(
    maskSecrets(stackText ?? chain.map((each) => each.stack ?? '').join('\ncaused by ')),
    MAX_STACK,
  );
  const frames = stackFrames(stack).flatMap((frame) => ownFrame(frame, root) ?? []);
  return {
    name: nameOf(error),
    message: cutText(maskSecrets(messageOf(error, chain)), MAX_MESSAGE),
    at: frames[0]?.place ?? '',
    frames: [...new Set(frames.map(({ shown }) => shown))].slice(0, MAX_FRAMES),
    stack,
  };
}

/** An error and its causes, the outermost first. */
export function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < MAX_DEPTH; each = each.cause) chain.push(each);
  return chain;
}

function nameOf(error: unknown): string {
  if (isFwError(error)) return error.code;
  return error instanceof Error ? error.name : 'Error';
}

function messageOf(error: unknown, chain: readonly Error[]): string {
  const words = chain.map(wordsOf).filter((each) => each !== '');
  // Drops a message that only repeats the one above it.
  const told = words.filter((each, index) => index === 0 || !words[index - 1]?.includes(each));
  return told.length > 0 ? told.join(': ') : textOf(error);
}

// The message of an AggregateError may be empty; its errors have the messages.
function wordsOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((each: unknown) => (each instanceof Error ? each.message : textOf(each))).join('; ');
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** A stack frame in the application's own code. */
interface OwnFrame {
  /** `file:line`, the file relative to the application. */
  readonly place: string;
  /** The place behind the name of the function, if there is one. */
  readonly shown: string;
}

function ownFrame({ name, file, line }: StackFrame, root: string): OwnFrame | undefined {
  if (file === undefined) return undefined;
  const below = path.relative(root, file);
  if (below.startsWith('..') || path.isAbsolute(below) || /(^|[\\/])node_modules[\\/]/.test(below)) return undefined;
  if (isFramework(below, root)) return undefined;
  const place = `${below.split(path.sep).join('/')}:${line}`;
  return { place, shown: name === '' ? place : `${name} ${place}` };
}

function isFramework(place: string, root: string): boolean {
  return root === frameworkFolder() && FRAMEWORK_ROOMS.includes(place.split(path.sep, 1)[0] ?? '');
}
