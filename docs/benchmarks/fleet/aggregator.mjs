// The aggregator that `fw start aggregator` runs, in a process that is asked over IPC for its address and its processor time.
import { bootApp, HttpServer } from '../../../dist/kernel/index.js';
import { standaloneAggregator } from '../../../dist/plugins/fleet/index.js';

process.env.FW_LOG_LEVEL = 'error';
const app = await bootApp(standaloneAggregator({ ...process.env, FLEET_PORT: '0' }));
process.on('message', () => process.send({ answer: process.cpuUsage() }));
process.send({ answer: app.services.get(HttpServer).url });
