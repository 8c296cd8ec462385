import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FleetStore } from './fleet-store.js';
import type { OpenTrace } from './open-trace.js';

/** What the parts of the page share. */
interface FleetContext {
  readonly store: FleetStore;
  readonly open: OpenTrace;
}

export const Fleet = createContext<FleetContext | undefined>(undefined);

export function useFleet(): FleetContext {
  return useContext(Fleet) as FleetContext;
}
