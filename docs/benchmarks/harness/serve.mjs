// A server that is measured: `node serve.mjs <module> <arguments of its start as a JSON list>`. Started by measured-server.mjs, which asks
// for processor time.
import { pathToFileURL } from 'node:url';

const [module = '', values = '[]'] = process.argv.slice(2);
const { start } = await import(pathToFileURL(module).href);
const port = await start(...JSON.parse(values));

process.on('message', () => process.send?.(process.cpuUsage()));
if (process.send) process.send(port);
else process.stdout.write(`http://127.0.0.1:${port}\n`);
