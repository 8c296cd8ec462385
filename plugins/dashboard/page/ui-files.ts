import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';
import { fwError } from '../../../kernel/index.js';
import { frameworkFolder } from '../../../kernel/plugin/index.js';
import type { Encoding } from '../../http/index.js';
import { DASHBOARD_ERRORS } from '../errors.js';

const FOLDER = 'dist/plugins/dashboard/ui';
const MANIFEST = 'manifest.json';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Smaller files fit into a packet or so anyway. */
const WORTH_ENCODING_BYTES = 1024;

/** The first visitor waits for the compression: this quality takes a few milliseconds per file, the best one twenty times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const ENCODERS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: promisify(gzip),
  deflate: promisify(deflate),
};

/** A file that a browser gets. */
export class UiFile {
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  /** @param type - media type */
  constructor(
    readonly type: string,
    readonly body: Buffer,
  ) {}

  /** Whether compression saves a noticeable amount. */
  get isWorthEncoding(): boolean {
    return this.body.length >= WORTH_ENCODING_BYTES;
  }

  /** The body in a content coding. It is encoded once and kept. */
  encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding);
    if (known !== undefined) return known;
    const encoded = ENCODERS[encoding](this.body);
    this.#encoded.set(encoding, encoded);
    return encoded;
  }
}

/** Names of the files that pages load, as the build wrote them. */
export interface UiManifest {
  readonly script: string;
  readonly style: string;
  readonly login: string;
  readonly icon: string;
  /** Files that the script imports at once. */
  readonly preload: readonly string[];
  /** Files that the script imports when a page is opened, by the page's id. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
  /** The same for a page that a plugin adds, beside the plugin's own module. */
  readonly pluginPage: readonly string[];
}

/** The bundled web UI. It is read for the first page and kept in memory, because a later build may remove files. */
export class UiFiles {
  #loaded: Promise<{ readonly manifest: UiManifest; readonly files: ReadonlyMap<string, UiFile> }> | undefined;

  /** @throws FwError `FW_DASHBOARD_UI_MISSING` */
  async manifest(): Promise<UiManifest> {
    return (await this.#load()).manifest;
  }

  /** A file by its name; undefined when there is none. */
  async file(name: string): Promise<UiFile | undefined> {
    return (await this.#load()).files.get(name);
  }

  #load() {
    // A failure is not kept: after a build the next request finds the files.
    return (this.#loaded ??= load().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    }));
  }
}

async function load() {
  const folder = path.join(frameworkFolder(), FOLDER);
  try {
    const manifest = JSON.parse(await readFile(path.join(folder, MANIFEST), 'utf8')) as UiManifest;
    const names = (await readdir(folder)).filter((name) => path.extname(name) in TYPES);
    const files = await Promise.all(
      names.map(async (name) => [name, await readUiFile(path.join(folder, name))] as const),
    );
    return { manifest, files: new Map(files) };
  } catch (cause) {
    throw fwError(DASHBOARD_ERRORS.FW_DASHBOARD_UI_MISSING, { folder }, { cause });
  }
}

/** Reads a file for a browser; an unknown extension means JavaScript. */
export async function readUiFile(file: string): Promise<UiFile> {
  return new UiFile(TYPES[path.extname(file)] ?? (TYPES['.js'] as string), await readFile(file));
}

/** Twelve digits that change with the content. */
export function contentHash(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 12);
}
