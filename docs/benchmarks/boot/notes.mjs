// What a profile said about goals that are missed, as `<table id>/<subject>`.
const START = `Of a start on Node 20, the process itself is 1.0 by definition, the ES module loader and \`node:http\` add 0.4, loading the kernel's
bundle 1.1 (parsing it, and running the module code of Inversify, TypeBox and pino), loading the http plugin's bundle 1.4, and booting the
rest. Most of the rest is parsing about 900 KB of JavaScript, which Node 20 does anew in each process: it keeps no compile cache for ES
modules. With the bundled dependencies in a script with V8's cached data, a prototype saved 20 ms more. Plain Koa in one bundle, with
nothing of ours, is at 3.0 to 3.4 itself. Inversify and pino cost about 10 ms each, TypeBox 5 or less.`;

/** @type {Readonly<Record<string, string>>} */
export const notes = {
  'listening/fw': START,
  'first-answer/fw': `All of the above, and about 22 ms between listening and the first answer that are Koa's: its setter of \`ctx.body\` asks
\`instanceof ReadableStream\`, \`Blob\` and \`Response\`, and naming the last one makes Node load its fetch implementation (undici). Plain Koa
has the same gap in the tables above; without those three questions a prototype's gap was 7 ms, and its memory 6 MiB less.`,
};
