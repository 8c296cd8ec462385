import { token } from '../container/token.js';
import type { ToolCategory } from './category.js';

/** A call of a tool that has ended. It has no field that could hold the value of an argument. */
export interface ToolCall {
  readonly tool: string;
  /**
   * `error`: the tool said that it could not; `crash`: it threw; `refused`: the caller's token does not reach it;
   * `unknown`: there is no such tool here.
   */
  readonly outcome: 'ok' | 'error' | 'crash' | 'cancelled' | 'refused' | 'unknown';
  /** Milliseconds; 0 for a call that never began. */
  readonly durationMs: number;
  /** Sorted. */
  readonly argumentNames: readonly string[];
  /** Category that the token lacks, of a refused call. */
  readonly requires?: ToolCategory;
}

/** Sees every call that the application's MCP endpoint is asked for: plugins contribute one. */
export interface ToolCallObserver {
  /** Called after each call; must be quick. What it throws reaches neither the caller nor other observers. */
  observe(call: ToolCall): void;
}

export const ToolCallObserver = token<ToolCallObserver>('fw.ToolCallObserver');
