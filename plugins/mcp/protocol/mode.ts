import { fwError } from '../../../kernel/errors/index.js';
import { MCP_ERRORS } from '../errors.js';

/** Builds and changes a project: the full toolchain. */
export const ModeGenerator = 'generator';
/** Understands a running instance: read-only tools only; the others are not registered at all. */
export const ModeAppRuntime = 'app-runtime';

/** Kind of an MCP server; also the value of `fwServerKind` (SPEC "MCP server kinds"). */
export type ServerMode = typeof ModeGenerator | typeof ModeAppRuntime;

/** Purpose of each kind, as a part of a sentence. */
export const MODE_PURPOSES: Readonly<Record<ServerMode, string>> = {
  generator: 'the full toolchain: whoever holds its token can rewrite the project',
  'app-runtime': 'read-only introspection of a running process',
};

/**
 * Reads a mode.
 * @throws FwError `FW_MCP_MODE` when there is none or it is not known: there is no default (SPEC "MCP server kinds")
 */
export function parseMode(given: unknown): ServerMode {
  if (given === ModeGenerator || given === ModeAppRuntime) return given;
  const words = given === undefined || given === '' ? 'none' : JSON.stringify(given);
  throw fwError(MCP_ERRORS.FW_MCP_MODE, { given: words });
}
