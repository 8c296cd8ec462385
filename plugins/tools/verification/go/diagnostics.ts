import type { Diagnostic, ParsedOutput } from '../diagnostics.js';

const MESSAGE = /^(?:vet: )?(?:\.\/)?([^\s:][^:]*\.go):(\d+)(?::(\d+))?: (.*)$/;

/**
 * Reads what `go build` and `go vet` print: `path:line:column: message` below a `# package` line. Lines that begin with a tab
 * belong to the message before them.
 */
export function parseGo(output: string): ParsedOutput {
  const diagnostics: Diagnostic[] = [];
  const rest: string[] = [];
  let name: string | undefined;
  for (const line of output.split(/\r?\n/)) {
    const [found, file = '', row, column, message = ''] = MESSAGE.exec(line) ?? [];
    const last = diagnostics.at(-1);
    if (line.startsWith('# ')) name = line.slice(2).split(' ')[0];
    else if (found !== undefined)
      diagnostics.push({
        file: file.replaceAll('\\', '/'),
        line: Number(row),
        ...(column !== undefined && { column: Number(column) }),
        message,
        ...(name !== undefined && { package: name }),
      });
    else if (last && line.startsWith('\t')) last.message += ` ${line.trim()}`;
    else if (line.trim() !== '') rest.push(line);
  }
  return { diagnostics, rest: rest.join('\n') };
}
