import type { ControlPlane } from '../protocol/control-plane.js';
import { KNOWN_CATEGORIES } from '../scope/scope.js';

/** Body of `GET /mcp/features`: the tools that this token reaches, without opening a session. */
export function featuresReport(plane: ControlPlane): Readonly<Record<string, unknown>> {
  return {
    server_kind: plane.mode,
    granted: plane.granted,
    known: KNOWN_CATEGORIES,
    scoped: plane.scope.scoped,
    tools: plane.reachable,
    categories: plane.categories,
    note: 'The same facts are in the answer to initialize, which is the authoritative source.',
  };
}
