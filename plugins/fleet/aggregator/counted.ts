/** `1 service`, `2 services`: an amount with a noun whose plural ends in "s". */
export function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
