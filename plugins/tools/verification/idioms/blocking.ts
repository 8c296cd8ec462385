import { type IdiomRule, nodesOnRequestPath } from './rule.js';

const MODULES = new Set(['fs', 'child_process', 'crypto', 'zlib']);
// Replacements for functions without a promise version of the same name.
const INSTEAD: Readonly<Record<string, string>> = {
  execSync: 'promisify(exec) of node:child_process, or better runProcess',
  execFileSync: 'promisify(execFile) of node:child_process',
  spawnSync: 'spawn of node:child_process',
  generateKeyPairSync: 'promisify(generateKeyPair) of node:crypto',
  existsSync: 'access of node:fs/promises',
};

/** `blocking-for-slow-work`: synchronous I/O, compression and key derivation while a request is served. */
export const blocking: IdiomRule = {
  rule: 'blocking-for-slow-work',
  *check(input) {
    const { ts } = input.sources;
    for (const [file, node] of nodesOnRequestPath(input)) {
      if (!ts.isCallExpression(node)) continue;
      const imported = input.names.imported(node.expression);
      const module = imported?.module.replace(/^node:/, '') ?? '';
      if (!imported?.name.endsWith('Sync') || !MODULES.has(module)) continue;
      const plain = imported.name.slice(0, -'Sync'.length);
      const other = module === 'fs' ? `${plain} of node:fs/promises` : `promisify(${plain}) of node:${module}`;
      yield {
        file,
        start: node.getStart(),
        message: `${imported.name} holds up every other request while it runs`,
        fix: `Await ${INSTEAD[imported.name] ?? other}; for work that computes, move it to a module and register it with handleBlocking.`,
      };
    }
  },
};
