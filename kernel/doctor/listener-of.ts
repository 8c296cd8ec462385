import { readdir, readFile, readlink } from 'node:fs/promises';

/** Who listens on a port. */
export interface Listener {
  readonly pid: number;
  /** The first words of its command line; later arguments may be secrets. */
  readonly command: string;
}

const LISTENING = '0A';

/**
 * The process that listens on a TCP port, as Linux tells (https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html);
 * undefined elsewhere, and where it is another user's.
 */
export async function listenerOf(port: number): Promise<Listener | undefined> {
  const sockets = (await Promise.all(['tcp', 'tcp6'].map((table) => inodesOf(table, port)))).flat();
  if (sockets.length === 0) return undefined;
  const links = sockets.map((inode) => `socket:[${inode}]`);
  for (const pid of (await namesIn('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const fd of await namesIn(`/proc/${pid}/fd`)) {
      const link = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
      if (links.includes(link)) return { pid: Number(pid), command: await commandOf(pid) };
    }
  }
  return undefined;
}

async function inodesOf(table: string, port: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
  const rows = text.split('\n').map((line) => line.trim().split(/\s+/));
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return rows.flatMap(([, local = '', , state, , , , , , inode]) =>
    state === LISTENING && local.endsWith(`:${wanted}`) && inode !== undefined ? [inode] : [],
  );
}

// Fails for processes of another user, and for those that have just ended.
const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

async function commandOf(pid: string): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  return words.slice(0, 2).join(' ').trim();
}
