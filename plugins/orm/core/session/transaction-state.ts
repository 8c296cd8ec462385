import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';

/** State of a transaction on a server that may roll it back by itself and continue: later statements would be committed immediately. */
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

  /** Records that the server has rolled the transaction back. */
  lost(): void {
    this.#isLost = this.#isOpen;
  }

  /** Records a failed statement. After a rollback of the server, the first error is the reason. */
  failed(error: unknown): void {
    if (this.#isLost) this.#cause ??= error;
  }

  /** Records that the connection serves other calls now. */
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
