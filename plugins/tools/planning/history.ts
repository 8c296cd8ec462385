import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fwError, isFwError, readTextFile } from '../../../kernel/index.js';
import { PLANNING_ERRORS } from './errors.js';

/** Where commits are recorded, relative to the project: one JSON object per line. */
export const HISTORY_FILE = '.fw/mcp-history.jsonl';
const MAX_HISTORY_BYTES = 16 << 20;
const SECRET = /pass|secret|token|credential|api[-_]?key/i;

/** One committed call. */
export type HistoryEntry = Readonly<Record<string, unknown>>;

/** Appends entries; values of flags that are called like secrets are left out. */
export async function appendHistory(file: string, entries: readonly HistoryEntry[]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await appendFile(file, entries.map((entry) => `${JSON.stringify(entry, redacted)}\n`).join(''));
}

// The name of a variable is no secret, but its value would be.
function redacted(key: string, value: unknown): unknown {
  return SECRET.test(key) && !/-env$/.test(key) && typeof value === 'string' ? '[redacted]' : value;
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
