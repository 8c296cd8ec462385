import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { fwError, isFwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { HTTP_ERRORS } from '../errors.js';
import type { TlsOptions } from './tls-options.js';

/** The current certificate with its key. */
export interface TlsMaterial {
  readonly context: SecureContextOptions;
  /** When the certificate expires. */
  readonly validTo: Date;
}

const FILES = ['cert', 'key', 'clientCa'] as const;

/**
 * Reads certificate and key.
 *
 * @param root - folder that relative paths start from
 * @throws FwError `FW_HTTP_TLS_FILE` when a file cannot be read, `FW_HTTP_TLS_INVALID` when they do not fit together
 */
export async function tlsMaterial(options: TlsOptions, root: string): Promise<TlsMaterial> {
  const [cert, key, ca] = await Promise.all(FILES.map((option) => pemOf(option, options[option], root)));
  const { passphrase, minVersion } = options;
  const context = { cert, key, passphrase, minVersion, ...(ca !== undefined && { ca }) };
  try {
    const certificate = new X509Certificate(cert as string);
    createSecureContext(context);
    return { context, validTo: new Date(certificate.validTo) };
  } catch (cause) {
    const reason = messageOf(cause);
    throw fwError(HTTP_ERRORS.FW_HTTP_TLS_INVALID, { reason }, { cause });
  }
}

/** Whether options name files (which may change) instead of giving the certificate itself. */
export function namesFiles(options: TlsOptions): boolean {
  return FILES.some((option) => options[option] !== undefined && !isPem(options[option]));
}

/** Whether two readings are equal. */
export function isSame({ context: one }: TlsMaterial, { context: other }: TlsMaterial): boolean {
  return one.cert === other.cert && one.key === other.key && one.ca === other.ca;
}

const isPem = (text: string) => text.includes('-----BEGIN ');

async function pemOf(option: string, given: string | undefined, root: string): Promise<string | undefined> {
  if (given === undefined || isPem(given)) return given;
  const file = path.resolve(root, given);
  try {
    const text = await readFile(file, 'utf8');
    if (isPem(text)) return text;
    throw fwError(HTTP_ERRORS.FW_HTTP_TLS_FILE, { option, file, reason: 'it holds no PEM block' });
  } catch (cause) {
    if (isFwError(cause)) throw cause;
    const reason = messageOf(cause);
    throw fwError(HTTP_ERRORS.FW_HTTP_TLS_FILE, { option, file, reason }, { cause });
  }
}
