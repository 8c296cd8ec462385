import { fwError, yesOnly } from '../../../kernel/index.js';
import { CORS_ERRORS } from './errors.js';

/** A whole origin (RFC 6454, section 6.2) in which `*` stands for one label of the host, or for any port. */
export const ORIGIN_PATTERN = '^[a-z][a-z0-9+.-]*://(\\*|[a-z0-9-]+)(\\.(\\*|[a-z0-9-]+))*(:(\\*|[0-9]+))?$';

/** Decides whether pages of an origin may read responses. */
export type OriginTest = (origin: string) => boolean;

/** Origins that a test allows, besides listed ones. */
export interface TestedOrigins {
  /** Whole origins in which `*` stands for one label of the host, or for any port: `https://*.shop.example`, `http://localhost:*`. */
  readonly originPatterns?: readonly string[] | undefined;
  /** Synchronous; only `true` allows. Not called for `null`, the origin of every sandboxed page and local file. */
  readonly allowOrigin?: OriginTest | undefined;
}

/**
 * The test of {@link TestedOrigins}; undefined when there is none.
 *
 * @throws FwError `FW_CORS_PATTERN`
 */
export function originTest({ originPatterns = [], allowOrigin }: TestedOrigins): OriginTest | undefined {
  if (originPatterns.length === 0 && allowOrigin === undefined) return undefined;
  const patterns = originPatterns.map(compiled);
  const asked = allowOrigin && yesOnly('allowOrigin of the CORS middleware', allowOrigin);
  return (origin) =>
    origin !== 'null' && (patterns.some((pattern) => pattern.test(origin)) || (asked?.(origin) ?? false));
}

const WHOLE_PATTERN = new RegExp(ORIGIN_PATTERN);

// Browsers write an origin in lower case and without the port of its scheme.
function compiled(pattern: string): RegExp {
  if (!WHOLE_PATTERN.test(pattern)) throw fwError(CORS_ERRORS.FW_CORS_PATTERN, { pattern });
  const [, host, port = ''] = /^(.*?)(:(?:\*|\d+))?$/.exec(pattern) as unknown as [string, string, string?];
  const labels = host.replace(/[.+]/g, '\\$&').replaceAll('*', '[a-z0-9-]+');
  return new RegExp(`^${labels}${port === ':*' ? '(:[0-9]+)?' : port}$`);
}
