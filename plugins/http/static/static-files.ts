import { constants, realpathSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fwError, type HitCounter, type HttpContext, type StaticOptions } from '../../../kernel/index.js';
import { HTTP_ERRORS } from '../errors.js';
import { rangeOf } from './byte-range.js';
import { outcomeOf } from '../conditional/preconditions.js';
import { preconditionFailed } from '../conditional/route-validator.js';
import { addVary } from '../vary.js';

/**
 * The folder that is served, with every link resolved.
 * @throws FwError `FW_HTTP_STATIC_FOLDER` when it is not there
 */
export function staticRoot(folder: string, prefix: string): string {
  const root = path.resolve(folder);
  try {
    if (statSync(root).isDirectory()) return realpathSync(root);
  } catch (cause) {
    throw fwError(HTTP_ERRORS.FW_HTTP_STATIC_FOLDER, { folder: root, prefix }, { cause });
  }
  throw fwError(HTTP_ERRORS.FW_HTTP_STATIC_FOLDER, { folder: root, prefix });
}

/** Answers with a file under a folder: conditional requests and ranges as RFC 9110 says; nothing outside the folder. */
export function staticHandler(
  root: string,
  { index = 'index.html', fallback, cacheControl }: StaticOptions,
  files: HitCounter,
) {
  const open = async (wanted: string): Promise<OpenFile | undefined> => {
    try {
      return await openFile(root, wanted, index);
    } catch (error) {
      files.error();
      throw error;
    }
  };
  return async function staticFile(context: HttpContext): Promise<void> {
    const wanted = String((context.params as { filepath?: string }).filepath ?? '');
    const own = await open(wanted);
    const found = own ?? (fallback !== undefined && isPage(context, wanted) ? await open(fallback) : undefined);
    if (found === undefined) {
      files.miss();
      throw fwError(HTTP_ERRORS.FW_HTTP_FILE_NOT_FOUND, { path: context.path });
    }
    if (own === undefined) {
      // It stands for pages that are not there yet, and the next release has another one.
      context.set('Cache-Control', 'no-cache');
      addVary(context.res, 'Accept');
    } else if (cacheControl !== undefined) context.set('Cache-Control', cacheControl);
    files.hit(await send(context, found));
  };
}

// Browsers name HTML when somebody visits a page, and never for what a page loads.
function isPage({ req }: HttpContext, wanted: string): boolean {
  const last = wanted.slice(wanted.lastIndexOf('/') + 1);
  return /\btext\/html\b/i.test(req.headers.accept ?? '') && !last.includes('.') && isServable(wanted);
}

interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly stats: Stats;
}

async function openFile(root: string, wanted: string, index: string): Promise<OpenFile | undefined> {
  if (!isServable(wanted)) return undefined;
  const target = path.join(root, wanted);
  return (await openRegular(root, target)) ?? (await openRegular(root, path.join(target, index)));
}

// Hidden files are not served, because they may contain secrets. Slashes inside a segment, backslashes and dots were refused with the
// request.
function isServable(wanted: string): boolean {
  return wanted.split('/').every((segment) => !segment.startsWith('.')) && !/^[a-z]:/i.test(wanted);
}

async function openRegular(root: string, target: string): Promise<OpenFile | undefined> {
  let handle: FileHandle | undefined;
  try {
    const name = await realpath(target);
    if (name !== root && !name.startsWith(root + path.sep)) return undefined;
    // The path has its links resolved: a link that replaces it between the two calls is not followed.
    handle = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (stats.isFile()) return { name, handle, stats };
  } catch (error) {
    if (!NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  await handle?.close();
  return undefined;
}

const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EISDIR', 'ENAMETOOLONG', 'ENXIO', 'EINVAL']);

/** @returns bytes of the body */
async function send(context: HttpContext, { name, handle, stats }: OpenFile): Promise<number> {
  const etag = `W/"${stats.size.toString(16)}-${Math.trunc(stats.mtimeMs * 1000).toString(16)}"`;
  context.set('ETag', etag);
  context.set('Last-Modified', stats.mtime.toUTCString());
  context.set('Accept-Ranges', 'bytes');
  context.type = path.extname(name);
  // Without a type, clients look into the file for one (RFC 9110, section 8.3): a text that somebody uploaded would be a page.
  if (context.response.type === '') context.type = 'application/octet-stream';
  // Ranges are of GET alone (RFC 9110, section 14.2).
  const range = context.method === 'GET' ? rangeOf(context.req.headers, stats, etag) : undefined;
  const outcome = outcomeOf('GET', context.req.headers, { etag, lastModified: stats.mtimeMs });
  if (outcome !== 'proceed') await handle.close();
  if (outcome === 'failed') throw preconditionFailed(context);
  if (outcome === 'unchanged') {
    context.status = 304;
    context.body = null;
    return 0;
  }
  if (range === 'unsatisfiable') {
    await handle.close();
    const outside = fwError(HTTP_ERRORS.FW_HTTP_RANGE, { size: stats.size });
    throw Object.assign(outside, { headers: { 'Content-Range': `bytes */${stats.size}` } });
  }
  return sendBytes(context, handle, stats.size, range);
}

interface Bytes {
  readonly start: number;
  readonly end: number;
}

async function sendBytes(
  context: HttpContext,
  handle: FileHandle,
  size: number,
  range: Bytes | undefined,
): Promise<number> {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  context.status = range ? 206 : 200;
  if (range) context.set('Content-Range', `bytes ${start}-${end}/${size}`);
  const type = context.response.type;
  if (size === 0) {
    await handle.close();
    context.body = '';
  } else {
    // For HEAD too, so that the compression middleware sets the same headers. Koa closes an unread stream.
    context.body = handle.createReadStream({ start, end });
  }
  context.type = type;
  context.length = end - start + 1;
  return context.method === 'HEAD' ? 0 : end - start + 1;
}
