/** The part of an output stream that the stdio transport uses. */
export interface ProtocolOutput {
  write(text: string): boolean;
  on(event: 'drain' | 'error', listener: () => void): unknown;
}

/**
 * Keeps standard output for the protocol: whatever else in this process prints there, a dependency's `console.log` say, goes
 * to standard error from now on.
 *
 * @returns the only way to standard output that is left, and how to give it back
 */
export function protocolOnlyStdout(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WritableStream,
): { readonly output: ProtocolOutput; release(): void } {
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return {
    output: { write: (text) => write.call(stdout, text), on: (event, listener) => stdout.on(event, listener) },
    release: () => void (stdout.write = write),
  };
}
