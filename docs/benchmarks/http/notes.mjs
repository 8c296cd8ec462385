// Shares are of the samples that `perf record` took while the server was on a processor.
const BARE =
  'Of the samples of the server 46 % are in the system call that writes the answer and 10 % in others of the kernel, 33 % in the machine code of Node and V8 (parser, streams, garbage collection, JSON), 8 % in the JavaScript of Node, and 3 % in that of fw.';
const SMALL =
  'Of the samples of the server 26 % are the write of the answer, 25 % polling, reading and parsing, 19 % the JavaScript of Node and what it calls, 8 % the JavaScript of fw and 15 % what that calls (JSON, the MD5 of the body, lookups by name), 5 % the log line and 2 % garbage collection. No middleware has more than 4 % to itself.';
const COMPRESSED =
  'Brotli is the same work in both: of the samples outside the system call that writes the answer, 22 % are the compression and 7 % the setting up of an encoder, of which Node makes a new one for each body. The rest is what nine middlewares cost without compression.';
const LARGE =
  'Brotli and JSON are the same work in both: of the samples 35 % are the compression (5 of them making an encoder, which Node does anew for each body), 14 % the JSON of the body and 13 % the system call that writes the answer. Of the rest a third is the JavaScript of fw, no line of it above 1 %, and two thirds that of Node. At this quality the encoder clears half a megabyte for each body of more than 4 KiB, which leaves the caches empty for whatever runs next.';
const CLOCK = 'The clock says what the processor time above says: what stands in the way is the same.';

/**
 * What a profile found in the way of a goal that was missed.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const notes = {
  'bare-cpu/fw': `${BARE} The quieter the machine, the more of a request is that call, which is the same in both.`,
  'bare-raw-cpu/fw': `${BARE} The single write saves about as much as fw costs.`,
  'bare-raw-cpu/fw, public API of Node only': `${BARE} Without the private members the head is put together by Node, header by header, and a request that nobody reads flows to its end over five turns of Node's queue.`,
  'small-cpu/fw': SMALL,
  'small-cached-cpu/fw': SMALL,
  'compressed-cpu/fw': COMPRESSED,
  'large-cpu/fw': LARGE,
  'bare-rate/fw': CLOCK,
  'bare-raw-rate/fw': CLOCK,
  'bare-raw-rate/fw, public API of Node only': CLOCK,
  'small-rate/fw': CLOCK,
  'small-cached-rate/fw': CLOCK,
  'compressed-rate/fw': CLOCK,
  'large-rate/fw': CLOCK,
};
