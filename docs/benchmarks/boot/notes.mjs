// What a profile said about goals that are missed, as `<table id>/<subject>`.
const START = `Of a start on Node 20, in processor time: the process itself is 1.0 by definition; parsing 580 KB of JavaScript is about 0.8, which Node 20
does anew in each process, because it keeps no compile cache for ES modules; the ES module loader spends 0.7 on finding and reading
nineteen files; \`node:http\` and its kin add 0.3; running the module code of Koa, pino and Inversify 0.6; the self-test of the fast path 0.2.
The same code in one file, from V8's cached data, took a prototype to 3.2. Plain Koa in one bundle, with nothing of ours, is at 2.6,
and at 3.3 for its first answer.`;

/** @type {Readonly<Record<string, string>>} */
export const notes = {
  'listening/fw': START,
  'first-answer/fw': `All of the above; between listening and the first answer there are 4 ms. Plain Koa takes 19 ms there: its setter of \`ctx.body\`
names \`Response\`, which makes Node load its fetch implementation (undici), and fw's contexts do not ask that of text, bytes and JSON.`,
};
