import { INVALID_PARAMS, JsonRpcError } from '../protocol/json-rpc.js';
import { isAtLeast, isLogLevel, LOG_LEVELS, type LogLevel } from './log-level.js';

type Params = Readonly<Record<string, unknown>> | undefined;

/** State of one client: its capabilities, and the log level that it wants. */
export class ClientSession {
  #asks = false;
  #wanted: LogLevel = 'warning';

  /** Whether the client can put a question to a person (MCP 2025-06-18 "Elicitation", form mode). */
  get asks(): boolean {
    return this.#asks;
  }

  /** Reads the capabilities in `initialize`, whichever protocol version the server answers. */
  initialized(params: Params): void {
    const capabilities = params?.['capabilities'] as Readonly<Record<string, unknown>> | undefined;
    const elicitation = capabilities?.['elicitation'];
    // Without any mode, forms are meant (MCP 2025-11-25 "Elicitation", capabilities).
    this.#asks =
      typeof elicitation === 'object' && elicitation !== null && ('form' in elicitation || !('url' in elicitation));
  }

  /** Takes `logging/setLevel`. @throws JsonRpcError -32602 for what is no level */
  setLevel(params: Params): void {
    const level = params?.['level'];
    if (!isLogLevel(level))
      throw new JsonRpcError(INVALID_PARAMS, `logging/setLevel needs params.level, one of ${LOG_LEVELS.join(', ')}.`);
    this.#wanted = level;
  }

  /** Whether the client wants messages of a level; default warnings and above. */
  wants(level: LogLevel): boolean {
    return isAtLeast(level, this.#wanted);
  }
}
