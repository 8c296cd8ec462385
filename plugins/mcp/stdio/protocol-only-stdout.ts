/** The part of an output stream that the stdio transport uses. */
export interface ProtocolOutput {
  write(text: string): boolean;
  on(event: 'drain' | 'error', listener: () => void): unknown;
}

/**
 * Keeps standard output for the protocol: other output of this process, such as a dependency's `console.log`, goes to standard error from
 * now on.
 *
 * @returns the real standard output, and a function that restores it
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
