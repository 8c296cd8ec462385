import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { fwError, isFwError, readTextFile, redact } from '../../../kernel/index.js';
import { PLANNING_ERRORS } from './errors.js';

/** Where commits are recorded, relative to the project: one JSON object per line. */
export const HISTORY_FILE = '.fw/mcp-history.jsonl';
const MAX_HISTORY_BYTES = 16 << 20;

/** One committed call. */
export type HistoryEntry = Readonly<Record<string, unknown>>;

/** Appends entries, as they may be shown: what is called like a secret is left out. */
export async function appendHistory(file: string, entries: readonly HistoryEntry[]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const text = entries.map((entry) => `${JSON.stringify(redact(entry))}\n`).join('');
  const handle = await open(file, 'a+');
  try {
    await handle.appendFile((await endsLine(handle)) ? text : `\n${text}`);
  } finally {
    await handle.close();
  }
}

// A process that was killed may have left half a line, which must not take the next one with it.
async function endsLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString() === '\n';
}

/** The entries, newest first; a line that is not JSON is left out. @throws FwError `FW_TOOLS_HISTORY` */
export async function readHistory(file: string): Promise<readonly HistoryEntry[]> {
  const text = await textOf(file);
  return text
    .split('\n')
    .flatMap((line) => parsed(line))
    .reverse();
}

async function textOf(file: string): Promise<string> {
  try {
    return await readTextFile(file, { maxBytes: MAX_HISTORY_BYTES });
  } catch (cause) {
    if (isFwError(cause) && cause.code === 'FW_FILE_NOT_FOUND') return '';
    throw fwError(PLANNING_ERRORS.FW_TOOLS_HISTORY, { file, problem: (cause as Error).message }, { cause });
  }
}

function parsed(line: string): HistoryEntry[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null ? [entry as HistoryEntry] : [];
  } catch {
    // Cut off by a crash, or the empty end of the file: the others are still good.
    return [];
  }
}
