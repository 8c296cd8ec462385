import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The MCP protocol version that the handshake reports (SPEC "Versioning", 1). */
export const PROTOCOL_VERSION = '2024-11-05';

let version: string | undefined;

/** Version of this package as the handshake reports it: `v<major>.<minor>.<patch>`, without any suffix. */
export function serverVersion(): string {
  return (version ??= asServerVersion(packageVersion(path.dirname(fileURLToPath(import.meta.url)))));
}

/** `v1.2.3` for `1.2.3-beta.4+build`; `v0.0.0` for an invalid version. */
export function asServerVersion(text: string): string {
  return `v${/^\d+\.\d+\.\d+/.exec(text)?.[0] ?? '0.0.0'}`;
}

// Sources and built files lie at different depths below the package's root.
function packageVersion(folder: string): string {
  const file = path.join(folder, 'package.json');
  if (existsSync(file)) {
    const { name, version: found } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (name === 'fw') return found ?? '';
  }
  const parent = path.dirname(folder);
  return parent === folder ? '' : packageVersion(parent);
}
