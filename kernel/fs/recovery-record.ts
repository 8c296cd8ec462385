import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import type { InterruptedWrite } from './recover.js';
import { isFolder } from './folders.js';
import { readTextFile } from './read-file.js';

/** One JSON object per line. */
const FILE = path.join('.fw', 'recovered.jsonl');
const MAX_BYTES = 64 * 1024;
const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW = 0 } = constants;

/** A repaired write, as it is recorded. */
interface RecordedRecovery {
  /** ISO 8601. */
  readonly time: string;
  readonly outcome: string;
  readonly files: readonly string[];
  readonly text: string;
}

/**
 * Records repaired writes in a file below the root. Only about the newest 64 KiB are kept: the record is information, and nothing depends
 * on it.
 */
export async function recordRecoveries(root: string, found: readonly InterruptedWrite[]): Promise<void> {
  const settled = found.filter(
    ({ outcome }) => outcome === 'undone' || outcome === 'finished' || outcome === 'followed',
  );
  if (settled.length === 0) return;
  const time = new Date().toISOString();
  const lines = settled
    .map(({ outcome, files, text }) => `${JSON.stringify({ time, outcome, files, text })}\n`)
    .join('');
  const file = path.join(root, FILE);
  await mkdir(path.dirname(file), { recursive: true });
  // A link in place of the folder may lead anywhere.
  if (!(await isFolder(path.dirname(file)))) return;
  const handle = await open(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o644);
  try {
    if ((await handle.stat()).size > MAX_BYTES) await handle.truncate(0);
    await handle.appendFile(lines);
  } finally {
    await handle.close();
  }
}

/** Repaired writes below the root, newest first. */
export async function recordedRecoveries(root: string): Promise<readonly RecordedRecovery[]> {
  // There is no file if nothing was ever interrupted; anything but a text file is ignored.
  const text = await readTextFile(path.join(root, FILE), { maxBytes: 2 * MAX_BYTES }).catch(() => '');
  return text.split('\n').flatMap(recoveryIn).reverse();
}

function recoveryIn(line: string): RecordedRecovery[] {
  try {
    const { time, outcome, files, text } = JSON.parse(line) as Record<string, unknown>;
    if (![time, outcome, text].every((each) => typeof each === 'string') || !Array.isArray(files)) return [];
    return [{ time, outcome, files: files.map(String), text } as RecordedRecovery];
  } catch {
    // The empty end of the file, or an incomplete line.
    return [];
  }
}
