// The reference application in a process of its own, with smaller bounds, for who loads it: started with --expose-gc. It prints its
// address, and the one at which it tells its memory after a collection.
import { createServer } from 'node:http';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const at = (file) => import(path.join(ROOT, 'dist', file));
const [{ bootApp, DiagnosticsRegistry, HttpServer }, { default: config }] = [
  await at('kernel/index.js'),
  await at('app.config.js'),
];
const app = await bootApp(config, {
  root: ROOT,
  profile: 'test',
  overrides: JSON.parse(process.env.FW_LOAD_OPTIONS ?? '{}'),
});
const url = app.services.get(HttpServer).url;
const subsystems = app.services.get(DiagnosticsRegistry);

const facts = createServer((_request, response) => {
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  const router = subsystems.get('router')?.detail;
  const open = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  response.setHeader('Connection', 'close');
  response.end(JSON.stringify({ used: heapUsed + external, rss, open, router }));
});
facts.listen(0, '127.0.0.1', () => process.stdout.write(`loaded ${url} http://127.0.0.1:${facts.address().port}\n`));
process.once('SIGTERM', () => void app.stop().then(() => process.exit()));
