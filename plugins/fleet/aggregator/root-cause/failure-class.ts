import type { StoredSpan } from '../stored-span.js';

/**
 * Class of a failure, which decides where to look next:
 *
 * - `refused`: no connection, a wrong name or a wrong certificate: the callee itself need not have failed;
 * - `broken`: the connection ended while the callee was at work;
 * - `timeout`: the caller did not wait any longer;
 * - `cut`: the caller ended it: because the caller was cancelled, because another part failed, or because of a deadline. Many languages
 *   have one exception for all three; the other spans tell which;
 * - `answered`: the callee responded with a failure;
 * - `failed`: anything else.
 */
type FailureClass = 'refused' | 'broken' | 'timeout' | 'cut' | 'answered' | 'failed';

// First the codes of Node.js and undici, then the exception classes of other languages and the terms of .NET's conventions.
const REFUSED = words(
  'ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\\w+|\\w+_CERT_\\w+|DEPTH_ZERO_\\w+|ERR_TLS_\\w+',
  '(?:\\w*HostConnect|Connect|UnknownHost|NoRouteToHost|\\w*SSLHandshake)Exception|ConnectionRefused\\w*|ConnectTimeout\\w*|NewConnectionError|NameResolutionError|gaierror|SSLError|DNSError',
  'ConnectError|ClientConnector\\w*Error|OpenTimeout|name_resolution_error|(?:secure_|)connection_error|proxy_tunnel_error',
);
const BROKEN = words(
  'FW_ORM_CONNECTION|ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_\\w+|UND_ERR_RESPONSE\\w*|ERR_STREAM_PREMATURE_CLOSE|HPE_\\w+',
  'Connection(?:Reset|Aborted|Closed)\\w*|RemoteDisconnected|ChunkedEncodingError|BrokenPipe\\w*|ClosedChannelException|EOFException|NoHttpResponseException',
  'ServerDisconnectedError|RemoteProtocolError|ReadError|IncompleteRead|PrematureCloseException|StreamResetException|EOFError|response_ended|http_protocol_error',
);
const TIMEOUT = words(
  'TimeoutError|ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|DEADLINE_EXCEEDED|timeout',
  '\\w*Time(?:d|)out(?:Exception|Error|Expired|CancellationException|)|\\w*DeadlineExceeded\\w*',
);
const CUT = words(
  'FW_ORM_ABORTED|AbortError|ABORT_ERR|UND_ERR_ABORTED|ERR_CANCELED|CANCELLED|canceled',
  'CancellationException|CancelledError|(?:Task|Operation)Canceled(?:Exception|)|Cancelled|Canceled|Interrupted(?:IO|)Exception',
);

function words(...alternatives: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${alternatives.join('|')})\\b`, 'i');
}

/** The class of a span that failed. */
export function failureClass({ error = '', status, kind }: StoredSpan): FailureClass {
  // A server that answers was not cut off, even if it answers because of the exception of a cancelled call.
  if (kind === 'server' && status >= 500) return 'answered';
  if (CUT.test(error)) return 'cut';
  if (REFUSED.test(error)) return 'refused';
  if (BROKEN.test(error)) return 'broken';
  if (TIMEOUT.test(error)) return 'timeout';
  return status > 0 ? 'answered' : 'failed';
}

/** Whether what a span threw says that it was called off. */
export function isAborted(span: StoredSpan): boolean {
  return CUT.test(String(span.attribute('error.type') ?? span.error ?? ''));
}

// What no failed call throws by itself: faults in the code of the request. A call that `fetch` could not make has a code of its own.
const OWN_FAULT = words(
  'TypeError|ReferenceError|RangeError|SyntaxError|AssertionError|ERR_ASSERTION|ERR_INVALID_\\w+|ERR_OUT_OF_RANGE',
  'NullPointerException|NullReferenceException|IllegalArgumentException|IllegalStateException|ClassCastException|IndexOutOfBoundsException|ArithmeticException',
  'AttributeError|KeyError|IndexError|ValueError|NameError|ZeroDivisionError|UnboundLocalError|NoMethodError|ArgumentError|ArgumentException|InvalidOperationException',
);

/** The type of the exception that ended a request, as its span says; undefined where it says none, or only a status. */
export function exceptionOf(span: StoredSpan): string | undefined {
  const type = span.kind === 'server' ? (span.attribute('error.type') ?? span.error) : undefined;
  return typeof type === 'string' && TYPE.test(type) ? type : undefined;
}

const TYPE = /^(?!\d{3}$|_OTHER$)[\w.$]+$/;

/** Whether an exception is a fault of the code that threw it, rather than what a failed call threw. */
export function isOwnFault(exception: string): boolean {
  return OWN_FAULT.test(exception);
}

// What languages call an exception that holds several others.
const GATHERED = words('Aggregate(?:Error|Exception)|(?:Base|)ExceptionGroup|CompositeException');

/** Whether an exception only gathers those of several failures that were collected before. */
export function isGathered(exception: string): boolean {
  return GATHERED.test(exception);
}
