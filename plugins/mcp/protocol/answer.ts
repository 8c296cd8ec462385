import type { ClientSession } from '../session/client-session.js';
import type { ControlPlane } from './control-plane.js';

/** `params` of a request. */
export type Params = Readonly<Record<string, unknown>> | undefined;

/** Who asks. */
export interface Asker {
  readonly plane: ControlPlane;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

/** What answers one method. */
export type Answer = (params: Params, asker: Asker) => Promise<object>;
