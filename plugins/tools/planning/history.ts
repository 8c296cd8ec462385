import { type FileHandle, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { fwError, isFwError, readTextFile, redact } from '../../../kernel/index.js';
import { parsedJson } from '../../../kernel/values/index.js';
import { PLANNING_ERRORS } from './errors.js';

/** File of the commit history, relative to the project: one JSON object per line. */
export const HISTORY_FILE = '.fw/mcp-history.jsonl';
const MAX_HISTORY_BYTES = 16 << 20;

/** One committed call. */
type HistoryEntry = Readonly<Record<string, unknown>>;

/** Appends entries without the values of fields with the name of a secret. */
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

// A killed process may have left half a line; the next entry must begin on a new line.
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
  // A line may be cut off by a crash, and the last one is empty; the other lines are valid.
  const entry = parsedJson(line);
  return typeof entry === 'object' && entry !== null ? [entry as HistoryEntry] : [];
}
