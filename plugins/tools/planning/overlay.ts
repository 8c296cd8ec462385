import path from 'node:path';
import type { GeneratorContext } from '../../../codegen/schematics/index.js';

/** A context that buffers writes to another context, so that a refused call changes nothing. */
interface Overlay extends GeneratorContext {
  /** Applies all buffered writes. */
  pass(): Promise<void>;
}

/** Makes an {@link Overlay}. */
export function overlay(below: GeneratorContext, log: (line: string) => void): Overlay {
  const written = new Map<string, string | Uint8Array>();
  return {
    root: below.root,
    isOnDisk: below.isOnDisk,
    log,
    read: async (file) => {
      const text = written.get(file);
      if (text === undefined) return below.read(file);
      return typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    },
    write: (file, text) => Promise.resolve(void written.set(file, text)),
    list: async (folder) => {
      const added = [...written.keys()].filter((file) => path.posix.dirname(file) === folder);
      return [...new Set([...(await below.list(folder)), ...added.map((file) => path.posix.basename(file))])].sort();
    },
    async pass() {
      for (const [file, text] of written) await below.write(file, text);
    },
  };
}
