const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>();

/**
 * A signal that is aborted with the first of several. Node's own `AbortSignal.any` refers to them weakly, so that a timeout which nobody else
 * has is collected as garbage and never fires (https://github.com/nodejs/node/issues/57736); these live as long as the signal does.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const any = AbortSignal.any([...signals]);
  sources.set(any, signals);
  return any;
}
