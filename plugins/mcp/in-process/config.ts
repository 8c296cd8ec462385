import { fwError } from '../../../kernel/index.js';
import { MCP_ERRORS } from '../errors.js';
import { ModeAppRuntime, parseMode, type ServerMode } from '../protocol/mode.js';
import type { Scope } from '../scope/scope.js';

/** Configuration of an MCP endpoint inside a running application (SPEC "In-process configuration"). */
export interface InProcessConfig {
  /** Required; {@link ModeAppRuntime} for anything that is deployed. */
  readonly mode: ServerMode;
  /** Port of the control address, never that of the application; 0 lets the system choose. */
  readonly port: number;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** Bearer token; blank: one is generated. */
  readonly token?: string;
  /** Origins of web pages that may connect, beside loopback. */
  readonly allowedOrigins?: readonly string[];
  /** What the token reaches, made by `newScope`; default everything that is served. */
  readonly scope?: Scope;
  /**
   * Restores the tools that need a source tree, for development containers that serve no real traffic. Only with
   * `ModeGenerator`.
   */
  readonly allowWorkspaceTools?: boolean;
  /** Whether the framework's own tools are served beside those of the application's plugins; default true. */
  readonly builtInTools?: boolean;
  /** Folder that path arguments are confined to; default the application's root. */
  readonly workspace?: string;
}

/** @throws FwError `FW_MCP_MODE`, `FW_MCP_IN_PROCESS` */
export function checkInProcessConfig(config: Omit<InProcessConfig, 'builtInTools'>): void {
  const mode = parseMode((config as { mode?: unknown } | undefined)?.mode);
  const { port } = config;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw configError(`port is ${JSON.stringify(port)}; expected a number from 1 to 65535, or 0 for any free one`);
  }
  if (mode === ModeAppRuntime && config.allowWorkspaceTools) {
    throw configError(
      'allowWorkspaceTools cannot be combined with ModeAppRuntime, which has no such tools; use ModeGenerator',
    );
  }
}

function configError(problem: string) {
  return fwError(MCP_ERRORS.FW_MCP_IN_PROCESS, { problem });
}
