import path from 'node:path';
import type { CommandOutput } from '../../kernel/contracts/command.js';
import { codeFrame } from './code-frame.js';
import { type Problem, problemText } from './problem.js';
import type { FileEvent } from './project-files.js';
import type { TypeReport } from './type-check.js';

const MOST_NAMED = 3;
const MOST_TYPE_ERRORS = 5;

/** The output of `fw dev`: one line per change, and more only for a problem. */
export class DevTerminal {
  // Type errors of the last check, as JSON: the compiler checks more often than something changes.
  #typeErrors = '[]';
  #noted: ReadonlySet<string> = new Set();

  constructor(private readonly output: CommandOutput) {}

  /** Reports that a change is in effect. */
  restarted(events: readonly FileEvent[], ms: number): void {
    this.output.out(`${now()} ${inWords(events)}: restarted in ${Math.round(ms)} ms\n`);
  }

  /** Reports a problem that keeps the application from running, after a change or without one. */
  failed(events: readonly FileEvent[], problem: Problem): void {
    if (events.length > 0) this.output.err(`${now()} ${inWords(events)}\n`);
    this.output.err(`\n${problemText(problem, red)}\n`);
  }

  /** Prints a note. */
  note(text: string): void {
    this.output.out(`${now()} ${text}\n`);
  }

  /** Prints notes about the sources, each once until it disappears. */
  notes(texts: readonly string[]): void {
    for (const text of texts) if (!this.#noted.has(text)) this.note(text);
    this.#noted = new Set(texts);
  }

  /**
   * Prints the result of a type check if it differs from the last.
   *
   * @param problem - what keeps the application from running: its syntax errors are not said a second time
   */
  types(root: string, found: TypeReport['errors'], problem: Problem | undefined): void {
    const before = this.#typeErrors;
    const errors = found.filter((error) => !isSaid(error, problem));
    this.#typeErrors = JSON.stringify(errors);
    if (this.#typeErrors === before) return;
    if (errors.length === 0) return this.output.out(`${now()} types are right again\n`);
    const shown = errors.slice(0, MOST_TYPE_ERRORS).map(({ file, line, column, message }) => {
      const frame = codeFrame({ file: path.resolve(root, file), line, column });
      return `${file}:${line}:${column}\n${red(message)}\n${frame.replace(/^/gm, '  ')}\n`;
    });
    const left = errors.length - shown.length;
    const more = left > 0 ? `\nand ${left} more: npm run typecheck\n` : '';
    const count = errors.length === 1 ? '1 type error' : `${errors.length} type errors`;
    const still = problem === undefined ? '; the application runs all the same' : '';
    this.output.err(`${now()} ${red(count)}${still}\n\n${shown.join('\n')}${more}\n`);
  }
}

// The compiler's codes from 1000 to 1999 are for syntax, which code generation and the build read too.
const isSaid = ({ file, message }: TypeReport['errors'][number], problem: Problem | undefined): boolean =>
  /^TS1\d{3}:/.test(message) && (problem?.details.some(({ place }) => place?.startsWith(`${file}:`)) ?? false);

/** What changed, in a few words: `app/routes/a.ts changed`, `12 files changed (app/a.ts, app/b.ts, app/c.ts, ...)`. */
function inWords(events: readonly FileEvent[]): string {
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
