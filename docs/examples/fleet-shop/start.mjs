// Starts the example, one process for each part, without containers: `node docs/examples/fleet-shop/start.mjs`.
// Plain JavaScript: it compiles the rest first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = path.resolve(HERE, '../../..');
// Not below node_modules: there the package would not find itself, and the dashboard not its pages.
const OUT = path.join(ROOT, 'dist/docs/examples/fleet-shop');
const PARTS = ['aggregator', 'orders', 'auth', 'gateway'];

await build({
  absWorkingDir: ROOT,
  entryPoints: [path.join(HERE, 'start.ts')],
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['fw-source'],
  // The framework comes from its sources, everything else from node_modules.
  plugins: [{ name: 'packages', setup: ({ onResolve }) => onResolve({ filter: /^[^./]/ }, external) }],
  logLevel: 'warning',
});

function external({ path: name, kind }) {
  const isOwn =
    kind === 'entry-point' || path.isAbsolute(name) || name === 'fw' || name.startsWith('fw/') || name.startsWith('#');
  return isOwn ? undefined : { path: name, external: true };
}

const children = [];
for (const part of PARTS) {
  const child = spawn(process.execPath, [path.join(OUT, 'start.js'), part], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (text) => process.stdout.write(text));
  child.once('exit', (code) => code && stop(code));
  children.push(child);
  await once(child.stdout, 'data');
}

process.stdout.write(`
  http://127.0.0.1:3000/dashboard/fleet                the Fleet page; name and password are admin
  curl http://127.0.0.1:3000/api/orders/123            one trace over three services
  curl -X POST http://127.0.0.1:3002/chaos/fail        orders begins to fail
  curl -u admin:admin '${process.env.FLEET_URL ?? 'http://127.0.0.1:9000/fleet'}/api/traces?status=error'
  curl -X POST http://127.0.0.1:3002/chaos/recover
  Ctrl-C ends everything.
`);

function stop(code) {
  for (const child of children) child.kill('SIGTERM');
  process.exitCode = code;
}
process.once('SIGINT', () => stop(0));
process.once('SIGTERM', () => stop(0));
