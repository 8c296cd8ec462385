import { frameworkVersion } from '../../../kernel/plugin/index.js';

/** The MCP protocol version that the handshake reports (SPEC "Versioning", 1). */
export const PROTOCOL_VERSION = '2024-11-05';

/** Version of the framework as the handshake reports it: `v<major>.<minor>.<patch>`, without any suffix. */
export function serverVersion(): string {
  return asServerVersion(frameworkVersion());
}

/** `v1.2.3` for `1.2.3-beta.4+build`; `v0.0.0` for an invalid version. */
export function asServerVersion(text: string): string {
  return `v${/^\d+\.\d+\.\d+/.exec(text)?.[0] ?? '0.0.0'}`;
}
