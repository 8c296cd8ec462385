import path from 'node:path';
import type { CommandOutput } from '../../kernel/contracts/command.js';
import { codeFrame } from './code-frame.js';
import { type Problem, problemText } from './problem.js';
import type { FileEvent } from './project-files.js';
import type { TypeReport } from './type-check.js';

const MOST_NAMED = 3;
const MOST_TYPE_ERRORS = 5;

/** What a person reads who works on the application: one line per change, and more only where something is wrong. */
export class DevTerminal {
  #typeErrors = 0;
  #noted: ReadonlySet<string> = new Set();

  constructor(private readonly output: CommandOutput) {}

  /** A change is in effect. */
  restarted(events: readonly FileEvent[], ms: number): void {
    this.output.out(`${now()} ${inWords(events)}: restarted in ${Math.round(ms)} ms\n`);
  }

  /** A change, or what happened without one, keeps the application from running. */
  failed(events: readonly FileEvent[], problem: Problem): void {
    if (events.length > 0) this.output.err(`${now()} ${inWords(events)}\n`);
    this.output.err(`\n${problemText(problem, red)}\n`);
  }

  /** Something worth knowing. */
  note(text: string): void {
    this.output.out(`${now()} ${text}\n`);
  }

  /** What is worth knowing of the sources; said once, for as long as it is so. */
  notes(texts: readonly string[]): void {
    for (const text of texts) if (!this.#noted.has(text)) this.note(text);
    this.#noted = new Set(texts);
  }

  /** What a check of the types found, when that is news. */
  types(root: string, errors: TypeReport['errors']): void {
    if (errors.length === 0 && this.#typeErrors > 0) this.output.out(`${now()} types are right again\n`);
    this.#typeErrors = errors.length;
    if (errors.length === 0) return;
    const shown = errors.slice(0, MOST_TYPE_ERRORS).map(({ file, line, column, message }) => {
      const frame = codeFrame({ file: path.resolve(root, file), line, column });
      return `${file}:${line}:${column}\n${red(message)}\n${frame.replace(/^/gm, '  ')}\n`;
    });
    const left = errors.length - shown.length;
    const more = left > 0 ? `\nand ${left} more: npm run typecheck\n` : '';
    const count = errors.length === 1 ? '1 type error' : `${errors.length} type errors`;
    this.output.err(`${now()} ${red(count)}; the application runs all the same\n\n${shown.join('\n')}${more}\n`);
  }
}

/** What changed, in a few words: `app/routes/a.ts changed`, `12 files changed (app/a.ts, app/b.ts, app/c.ts, ...)`. */
export function inWords(events: readonly FileEvent[]): string {
  const [only] = events;
  if (events.length === 1 && only) return `${only.path} ${only.became}`;
  const names = events
    .slice(0, MOST_NAMED)
    .map(({ path: file, became }) => (became === 'changed' ? file : `${file} ${became}`));
  return `${events.length} files changed (${names.join(', ')}${events.length > MOST_NAMED ? ', ...' : ''})`;
}

const now = (): string => new Date().toTimeString().slice(0, 8);

function red(text: string): string {
  return process.stderr.isTTY && process.env['NO_COLOR'] === undefined ? `\x1b[31m${text}\x1b[0m` : text;
}
