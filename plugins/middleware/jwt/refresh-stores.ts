import { fwError } from '../../../kernel/index.js';
import { JWT_ERRORS } from './errors.js';
import { MemoryRefreshStore, type RefreshStore } from './refresh-store.js';

/** The stores by refresh key: signing a token with that key in this process begins its family in the stores that will be asked for it. */
const stores = new Map<string, Set<RefreshStore>>();

/** The stores of a key. */
export function refreshStoresOf(secret: string): readonly RefreshStore[] {
  return [...(stores.get(secret) ?? [])];
}

/**
 * Calls a function for every store.
 *
 * @throws FwError `FW_JWT_STORE_AWAY`
 */
export async function onStores<Result>(
  stores: readonly RefreshStore[],
  act: (store: RefreshStore) => Result | Promise<Result>,
): Promise<Result[]> {
  try {
    return await Promise.all(stores.map(act));
  } catch (cause) {
    throw fwError(JWT_ERRORS.FW_JWT_STORE_AWAY, {}, { cause });
  }
}

/** Makes a store known for a key. */
export function addRefreshStore(secret: string, store: RefreshStore): void {
  const known = stores.get(secret) ?? new Set();
  stores.set(secret, known.add(store));
}

/** Forgets a store, of whatever key: it is closed. */
export function removeRefreshStore(store: RefreshStore): void {
  for (const [secret, known] of stores) if (known.delete(store) && known.size === 0) stores.delete(secret);
}

/** The memory store of a key: one per process, because otherwise a token that one middleware has exchanged would be valid at the next. */
export function memoryStoreOf(secret: string, now?: () => number): RefreshStore {
  const found = refreshStoresOf(secret).find((store) => store instanceof MemoryRefreshStore);
  const store = found ?? new MemoryRefreshStore(now);
  addRefreshStore(secret, store);
  return store;
}
