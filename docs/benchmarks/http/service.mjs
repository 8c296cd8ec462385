// One subject in one scenario: `node service.mjs <module> <scenario> <variant as JSON>`. Started by measured-service.mjs.
import { SCENARIOS } from './work.mjs';

/** @typedef {(typeof SCENARIOS)[string]} Scenario */

const [name, scenario = '', variant = '{}'] = process.argv.slice(2);
const { start } = await import(`./subjects/${name}.mjs`);
const port = await start(SCENARIOS[scenario], JSON.parse(variant));

process.on('message', () => process.send?.(process.cpuUsage()));
process.send?.(port);
