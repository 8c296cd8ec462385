export const SLOW_FIRST: readonly string[];
