// Sends batches to an aggregator as fast as it takes them: `node sender.mjs <address> <token>`.
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { spansOf } from './span-batches.mjs';

const BATCHES = 400;
const SIZE = 200;
const IN_FLIGHT = 16;

const [address, token] = process.argv.slice(2);
// Made before, all different; sent again and again, their ids repeat only when their traces are long gone.
const bodies = Array.from({ length: BATCHES }, (_, n) =>
  gzipSync(JSON.stringify(spansOf(n, SIZE, Date.now())), { level: 1 }),
);
const agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
const target = new URL('/fleet/api/spans', address);
const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-fleet-token': token };
let next = 0;
process.send('sending');
await Promise.all(
  Array.from({ length: IN_FLIGHT }, async () => {
    for (;;) await post(bodies[next++ % BATCHES]);
  }),
);

function post(body) {
  const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } };
  return new Promise((resolve, reject) => {
    const request = http.request(target, options, (response) => {
      if (response.statusCode !== 202) reject(new Error(`the aggregator answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    request.on('error', reject).end(body);
  });
}
