// Starts the example, one process for each part, without containers: `node docs/examples/fleet-shop/start.mjs`.
// Plain JavaScript: it compiles the rest first.
import { fork } from 'node:child_process';
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
/** Addresses of the parts that run. */
const urls = {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
for (const part of PARTS) {
  // Should this process be killed, the parts stop by themselves.
  const env = { ...addresses(), ...process.env, FW_STARTED_BY: process.pid };
  const child = fork(path.join(OUT, 'start.js'), [part], { env });
  child.once('exit', (code) => stop(code ?? 1));
  children.push(child);
  // The first of the two: a part that does not start has said why.
  const [url] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof url !== 'string') break;
  urls[part] = url;
}
if (urls.gateway) tell();

/** Where the parts that run already are, for those that call them. */
function addresses() {
  const { aggregator, orders, auth } = urls;
  return { FLEET_URL: aggregator && `${aggregator}/fleet`, ORDERS_URL: orders, AUTH_URL: auth };
}

function tell() {
  process.stdout.write(`
  ${urls.gateway}/dashboard/fleet                the Fleet page; name and password are admin
  curl ${urls.gateway}/api/orders/123            one trace over three services
  curl -X POST ${urls.orders}/chaos/fail        orders begins to fail
  curl -u admin:admin '${process.env.FLEET_URL ?? addresses().FLEET_URL}/api/traces?status=error'
  curl -X POST ${urls.orders}/chaos/recover
  Ctrl-C ends everything.
`);
}

let stopping = false;

// The aggregator last: the others send it what they still hold.
async function stop(code) {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  const [first, ...others] = children;
  await Promise.all(others.map(end));
  if (first) await end(first);
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
