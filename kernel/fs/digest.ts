import { createHash } from 'node:crypto';

/** SHA-256 of some content, as 64 hexadecimal digits. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
