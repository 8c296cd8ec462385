export function tally(counted: { readonly tried: number; readonly lost?: number }): void;
