import { HttpTransport, type HttpTransportOptions } from './http-transport.js';

/** Configuration of the native transport: that of HTTP, under a name of its own, so that both can differ later. */
export type NativeTransportOptions = HttpTransportOptions;

/** Exports through the runtime's network library in the HTTP/1.1 format of {@link HttpTransport}. */
export class NativeTransport extends HttpTransport {
  constructor(options: NativeTransportOptions) {
    super(options, 'native');
  }
}
