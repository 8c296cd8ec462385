import { fwCommand } from '../../kernel/invocation/index.js';
import path from 'node:path';
import type { CodegenResult } from '../engine/result.js';
import { inWords } from '../engine/source-problem.js';

/** Texts about a run: results for standard output, mistakes for standard error. */
interface CodegenReport {
  readonly out: string;
  readonly err: string;
}

const MOST_LINES = 20;

/** Puts the result of a run into words. */
export function codegenReport(
  result: CodegenResult,
  { check, watch }: { readonly check: boolean; readonly watch: boolean },
): CodegenReport {
  if (result.problems.length > 0) return { out: '', err: problemText(result) };
  const notes = result.notes.map((note) => `note: ${note}\n`).join('');
  if (check && !result.ok) return { out: '', err: notes + staleText(result) };
  const again = watch ? ' (watching; Ctrl-C ends)' : '';
  return { out: `${notes}${check ? freshText(result) : writtenText(result)}${again}\n`, err: '' };
}

function problemText({ problems, root, outDir }: CodegenResult): string {
  const lines = problems.map((problem) => `${inWords(problem, root)}\n`);
  return `${lines.join('')}${counted(problems.length, 'problem')}; nothing was written to ${outDir}/\n`;
}

function staleText({ stale }: CodegenResult): string {
  const width = Math.max(...stale.map(({ reason }) => reason.length));
  const lines = stale.map(({ path: file, reason }) => `${reason.padEnd(width)}  ${file}\n`);
  return `${lines.join('')}${counted(stale.length, 'generated file')} out of date. Run \`${fwCommand('codegen')}\` and commit the result.\n`;
}

function freshText({ unchanged, ms }: CodegenResult): string {
  return `${counted(unchanged.length, 'generated file')} up to date (${Math.round(ms)} ms)`;
}

function writtenText({ written, removed, unchanged, outDir, ms }: CodegenResult): string {
  const lines = [...written.map((file) => `wrote    ${file}`), ...removed.map((file) => `removed  ${file}`)];
  const shown =
    lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `... and ${lines.length - MOST_LINES} more`] : lines;
  const counts = `${written.length} written, ${removed.length} removed, ${unchanged.length} unchanged`;
  return [...shown, `${path.posix.join(outDir, '/')}: ${counts} (${Math.round(ms)} ms)`].join('\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
