import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';

/**
 * What a connection knows about its transaction, where the server may roll one back by itself and go on: what is sent after that,
 * the server would keep at once.
 */
export class TransactionState {
  #isOpen = false;
  #isLost = false;
  #cause: unknown;

  constructor(private readonly dialect: string) {}

  get isOpen(): boolean {
    return this.#isOpen;
  }

  begun(): void {
    this.#isOpen = true;
  }

  /** The server has rolled it back. */
  lost(): void {
    this.#isLost = this.#isOpen;
  }

  /** A statement has failed. When the server has rolled back, the first error that tells is why. */
  failed(error: unknown): void {
    if (this.#isLost) this.#cause ??= error;
  }

  /** The connection serves others now. */
  ended(): void {
    this.#isOpen = false;
    this.#isLost = false;
    this.#cause = undefined;
  }

  /** @throws FwError `FW_ORM_TRANSACTION_LOST` */
  assertKept(): void {
    if (!this.#isLost) return;
    throw fwError(ORM_ERRORS.FW_ORM_TRANSACTION_LOST, { dialect: this.dialect }, { cause: this.#cause });
  }
}
