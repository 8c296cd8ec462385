import { createHash } from 'node:crypto';
import { type AppInfo, type HttpServer } from '../../../kernel/index.js';
import { withoutEnd } from '../../../kernel/values/index.js';
import type { TracerPluginOptions } from './plugin-options.js';

/** Addresses of the service for heartbeats. Functions, because ports are known only once the server listens. */
export class ServiceAddress {
  #hash: string | undefined;
  #serves: boolean | undefined;

  constructor(
    private readonly options: TracerPluginOptions,
    private readonly server: HttpServer,
    private readonly app: AppInfo,
  ) {}

  get openAPIURL(): string | undefined {
    return this.servesOpenAPI ? this.#absolute(this.options.openAPIPath) : undefined;
  }

  /** Whether a route serves the document. Routes are final before the first request. */
  get servesOpenAPI(): boolean {
    const { openAPIPath } = this.options;
    return (this.#serves ??= openAPIPath !== '' && this.server.routes().some(({ path }) => path === openAPIPath));
  }

  /** Changes when a route or a schema changes, like the document. */
  get openAPIHash(): string | undefined {
    if (this.openAPIURL === undefined) return undefined;
    this.#hash ??= createHash('sha256')
      .update(JSON.stringify([this.app.version, this.server.routes()]))
      .digest('hex');
    return this.#hash;
  }

  get serviceURL(): string {
    return this.#absolute('');
  }

  get logsURL(): string | undefined {
    return this.options.serviceToken === '' ? undefined : this.#absolute(this.options.logsPath);
  }

  #absolute(path: string): string {
    return `${withoutEnd(this.options.advertiseURL || this.server.url, '/')}${path}`;
  }
}
