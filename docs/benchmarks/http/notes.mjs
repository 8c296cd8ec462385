const WRITE =
  'A profile of the server (`node --cpu-prof`) has a third to a half of its time in the one system call that writes the answer, which every subject makes and which does not shrink; garbage collection follows with 8 %, and nothing else takes more than 3 %: the MD5 of the body, the entry in the ETag store that every response writes, JSON of the body, the JSON line of the log. What is left over node:http is spread over some forty places.';
const CLOCK = 'The clock says what the processor time above says: what stands in the way is the same.';

/**
 * What a profile found in the way of a goal that was missed.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const notes = {
  'small-cpu/fw': WRITE,
  'small-cpu/fw, token cache off': `${WRITE} Without the cache each token is verified by WebCrypto, which hops to the thread pool and back.`,
  'small-cached-cpu/fw': WRITE,
  'bare-rate/fw': CLOCK,
  'bare-raw-rate/fw': CLOCK,
  'bare-raw-rate/fw, public API of Node only': CLOCK,
  'small-rate/fw': CLOCK,
  'small-rate/fw, token cache off': CLOCK,
  'compressed-rate/fw': CLOCK,
  'large-rate/fw': CLOCK,
};
