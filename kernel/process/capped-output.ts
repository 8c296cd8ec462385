/**
 * Keeps the beginning and the end of what a child prints: the beginning says what ran, the end usually says why it failed.
 * What lies between is counted, not kept.
 */
export class CappedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #ring: Buffer | undefined;
  #tailBytes = 0;

  /** @param maxBytes - how much is kept in all */
  constructor(maxBytes: number) {
    this.#headLimit = Math.ceil(maxBytes / 2);
    this.#tailLimit = maxBytes - this.#headLimit;
  }

  /** Bytes that were dropped. */
  get leftOut(): number {
    return Math.max(0, this.#tailBytes - this.#tailLimit);
  }

  push(chunk: Buffer): void {
    const room = this.#headLimit - this.#headBytes;
    if (room > 0) this.#pushHead(chunk.subarray(0, room));
    if (chunk.length > room) this.#pushTail(chunk.subarray(room));
  }

  /** The text; a line of its own says how much was dropped. */
  text(): string {
    const head = Buffer.concat(this.#head);
    if (this.leftOut === 0) return Buffer.concat([head, this.#tail()]).toString('utf8');
    return `${withoutCutEnd(head)}\n[... ${this.leftOut} bytes left out ...]\n${withoutCutStart(this.#tail())}`;
  }

  #pushHead(chunk: Buffer): void {
    this.#head.push(chunk);
    this.#headBytes += chunk.length;
  }

  #pushTail(chunk: Buffer): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#tailLimit));
    this.#tailBytes += chunk.length;
    if (kept.length === 0) return;
    this.#ring ??= Buffer.allocUnsafe(this.#tailLimit);
    const at = (this.#tailBytes - kept.length) % this.#tailLimit;
    const untilEnd = kept.copy(this.#ring, at);
    kept.copy(this.#ring, 0, untilEnd);
  }

  #tail(): Buffer {
    const ring = this.#ring ?? Buffer.alloc(0);
    if (this.leftOut === 0) return ring.subarray(0, this.#tailBytes);
    const oldest = ring.length === 0 ? 0 : this.#tailBytes % ring.length;
    return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
  }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

// UTF-8 (RFC 3629): a character is one lead byte and up to three continuation bytes; a cut may fall between them.
function withoutCutEnd(bytes: Buffer): string {
  let lead = bytes.length - 1;
  while (lead >= 0 && lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  const expected = lengthOfCharacter(bytes[lead] ?? 0);
  return bytes.subarray(0, lead + expected > bytes.length ? lead : bytes.length).toString('utf8');
}

function withoutCutStart(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start).toString('utf8');
}

function lengthOfCharacter(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
