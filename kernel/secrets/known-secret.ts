import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** A secret that nobody can guess: 32 random bytes as hex. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/** A token or a password that callers have to know. Only its digest is kept. */
export class KnownSecret {
  readonly #digest: Buffer;

  constructor(secret: string) {
    this.#digest = digestOf(secret);
  }

  /**
   * Whether a caller gave the secret. The comparison takes the same time for every wrong one, because digests have equal lengths. What is
   * no text is compared as an empty one, which is never the secret.
   */
  isGivenAs(given: unknown): boolean {
    const text = typeof given === 'string' ? given : '';
    return timingSafeEqual(digestOf(text), this.#digest) && text !== '';
  }
}

/** Whether two texts are the same, in a time that does not depend on where they differ: for signatures, which callers send. */
export function isSameText(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
