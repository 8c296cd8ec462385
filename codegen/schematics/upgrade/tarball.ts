import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fwError, messageOf } from '../../../kernel/errors/index.js';
import { readFile } from 'node:fs/promises';
import type { PackedFramework } from '../new/pack-framework.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

/** Size of a tar header, and the unit to which files are padded (POSIX.1-2017, pax, "ustar Interchange Format"). */
const BLOCK = 512;
const MANIFEST = 'package/package.json';
/** Largest package that is read. */
const BYTES = 256 << 20;

/**
 * Reads a package of the framework.
 *
 * @param file - absolute path of what `npm pack` made
 * @throws FwError `FW_UPGRADE_TARBALL` for anything but a package of fw
 */
export async function readTarball(file: string): Promise<PackedFramework> {
  const refused = (problem: string, cause?: unknown) =>
    fwError(SCHEMATICS_ERRORS.FW_UPGRADE_TARBALL, { file: path.basename(file), problem }, { cause });
  const { bytes, manifest } = await manifestOf(file).catch((cause: unknown) => {
    throw refused(messageOf(cause), cause);
  });
  if (manifest === undefined) throw refused(`it has no ${MANIFEST}`);
  const { name, version } = manifest;
  if (name !== 'fw' || typeof version !== 'string') throw refused(`its package.json says ${String(name)}`);
  return { name: `fw-${version}.tgz`, bytes };
}

async function manifestOf(file: string) {
  const bytes = await readFile(file);
  const text = manifestIn(gunzipSync(bytes, { maxOutputLength: BYTES }));
  return { bytes, manifest: text === undefined ? undefined : (JSON.parse(text) as Partial<Record<string, unknown>>) };
}

function manifestIn(tar: Buffer): string | undefined {
  for (let at = 0; at + BLOCK <= tar.length;) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8) || 0;
    const content = at + BLOCK;
    if (name === MANIFEST) return tar.toString('utf8', content, content + size);
    at = content + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
}
