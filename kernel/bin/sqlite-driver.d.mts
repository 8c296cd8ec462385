export const SQLITE_DRIVERS: { readonly nodeApi: string; readonly compiled: string };
export function sqliteDriver(versions?: { readonly napi?: string }): string;
