import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../../../kernel/index.js';
import { isObject } from '../../../kernel/values/index.js';
import { LOCALE_ERRORS } from './errors.js';

/** Messages of one locale by dotted key. */
export type Catalog = ReadonlyMap<string, string>;

/**
 * Reads every `<locale>.json` of a folder.
 * @throws FwError `FW_LOCALE_NO_FILES` or `FW_LOCALE_FILE`
 */
export async function readCatalogs(dir: string): Promise<ReadonlyMap<string, Catalog>> {
  const names = await readdir(dir).catch((cause: unknown) => {
    throw fwError(LOCALE_ERRORS.FW_LOCALE_NO_FILES, { dir }, { cause });
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) throw fwError(LOCALE_ERRORS.FW_LOCALE_NO_FILES, { dir });
  const entries = files.map(async (name) => [name.slice(0, -5), await readCatalog(path.join(dir, name))] as const);
  return new Map(await Promise.all(entries));
}

async function readCatalog(file: string): Promise<Catalog> {
  const locale = path.basename(file, '.json');
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw fwError(LOCALE_ERRORS.FW_LOCALE_FILE, { file, problem: (cause as Error).message }, { cause });
  }
  if (!isObject(content)) {
    throw fwError(LOCALE_ERRORS.FW_LOCALE_FILE, { file, problem: 'expected an object of messages.' });
  }
  const keys = Object.keys(content);
  // The messages may be nested below the locale, as several other tools write them.
  const inner = keys.length === 1 && keys[0] === locale ? content[locale] : content;
  const messages = new Map<string, string>();
  if (isObject(inner)) flatten(inner, '', messages);
  return messages;
}

function flatten(from: Readonly<Record<string, unknown>>, prefix: string, into: Map<string, string>): void {
  for (const [name, value] of Object.entries(from)) {
    if (isObject(value)) flatten(value, `${prefix}${name}.`, into);
    else into.set(`${prefix}${name}`, String(value));
  }
}
