import path from 'node:path';
import { stackFrame } from '../../kernel/errors/index.js';
import { isInside } from '../../kernel/values/index.js';

/** Gives the place where a function was called: `app/routes/users.ts:12`. Undefined if unknown. */
export type CallPlace = () => string | undefined;

/**
 * Records the caller of a function, for an error that may come later. V8 formats the trace, and reads source maps, only on first use
 * (https://v8.dev/docs/stack-trace-api), so recording costs little.
 *
 * @param called - the function; its caller is the place
 */
export function callPlace(called: (...args: never[]) => unknown): CallPlace {
  const noted: { readonly stack?: string } = {};
  Error.captureStackTrace(noted, called);
  return () => placeIn(noted.stack?.split('\n')[1] ?? '');
}

function placeIn(caller: string): string | undefined {
  const { file, line } = stackFrame(caller) ?? {};
  if (file === undefined) return undefined;
  const folder = process.cwd();
  return `${isInside(file, folder) ? path.relative(folder, file) : file}:${line}`;
}
