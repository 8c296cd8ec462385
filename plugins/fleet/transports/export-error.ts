import { FwError } from '../../../kernel/index.js';
import { TRANSPORT_ERRORS } from './errors.js';

/** Statuses after which a retry of the same batch would fail again. */
const PERMANENT = new Set([400, 413]);

const ADVICE: Readonly<Record<number, string>> = {
  400: 'The batch is malformed; it is dropped.',
  401: 'The ingest token is missing or wrong: compare ingestToken here and at the aggregator.',
  403: 'The aggregator takes no exports from here without an ingest token.',
  404: 'There is no aggregator at this address: check the base path.',
  413: 'The batch is too large; it is dropped.',
};

/** Redirects are not followed, because the ingest token must not go to another address. */
const MOVED = 'It redirects, which is not followed: set the address of the aggregator itself.';

/** The aggregator answered, but refused the export. */
export class ExportError extends FwError {
  /** Whether trying again is pointless. */
  readonly isPermanent: boolean;

  constructor(httpStatus: number, what: string) {
    const isRedirect = httpStatus >= 300 && httpStatus < 400;
    const advice = ADVICE[httpStatus] ?? (isRedirect ? MOVED : 'It is tried again.');
    super(TRANSPORT_ERRORS.FW_FLEET_EXPORT_REFUSED, { status: httpStatus, what, advice });
    this.isPermanent = PERMANENT.has(httpStatus);
  }
}

/** The aggregator answered one message on a socket with an error. */
export class RefusedMessage extends Error {
  readonly isPermanent = true;
}
