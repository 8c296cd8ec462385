import { describe, expect, test } from '@jest/globals';
import { failureClass } from './index.js';

const classOf = (error: string, status = 0) => failureClass({ error, status } as never);

// What exporters of other languages put into `error.type`: the class of an exception, or a code of gRPC.
describe('a failure of a service in another language', () => {
  test.each([
    ['java.net.ConnectException', 'refused'],
    ['java.net.UnknownHostException', 'refused'],
    ['org.apache.http.conn.HttpHostConnectException', 'refused'],
    ['requests.exceptions.ConnectTimeout', 'refused'],
    ['socket.gaierror', 'refused'],
    ['ConnectionRefusedError', 'refused'],
    ['java.net.SocketTimeoutException', 'timeout'],
    ['java.net.http.HttpTimeoutException', 'timeout'],
    ['requests.exceptions.ReadTimeout', 'timeout'],
    ['context.deadlineExceededError', 'timeout'],
    ['DEADLINE_EXCEEDED', 'timeout'],
    ['asyncio.TimeoutError', 'timeout'],
    ['builtins.ConnectionResetError', 'broken'],
    ['http.client.RemoteDisconnected', 'broken'],
    ['java.io.EOFException', 'broken'],
    ['asyncio.CancelledError', 'cut'],
    ['kotlinx.coroutines.CancellationException', 'cut'],
    ['System.Threading.Tasks.TaskCanceledException', 'cut'],
    ['CANCELLED', 'cut'],
    ['context.Canceled', 'cut'],
    ['java.io.InterruptedIOException', 'cut'],
    ['kotlinx.coroutines.TimeoutCancellationException', 'timeout'],
    ['System.TimeoutException', 'timeout'],
    ['context.DeadlineExceeded', 'timeout'],
    ['Net::ReadTimeout', 'timeout'],
    ['Net::OpenTimeout', 'refused'],
    ['httpx.ConnectError', 'refused'],
    ['aiohttp.client_exceptions.ClientConnectorDNSError', 'refused'],
    ['name_resolution_error', 'refused'],
    ['connection_error', 'refused'],
    ['aiohttp.client_exceptions.ServerDisconnectedError', 'broken'],
    ['response_ended', 'broken'],
    ['java.lang.NullPointerException', 'failed'],
    ['TimeoutlessError', 'failed'],
    ['HTTP 503', 'answered'],
  ])('%s is %s', (error, expected) => {
    expect(classOf(error, error.startsWith('HTTP') ? 503 : 0)).toBe(expected);
  });

  test('a service that answers was not cut off, whatever exception it ended with', () => {
    const answered = { error: 'System.Threading.Tasks.TaskCanceledException', status: 500, kind: 'server' };
    expect(failureClass(answered as never)).toBe('answered');
    expect(failureClass({ ...answered, status: 499 } as never)).toBe('cut');
  });
});
