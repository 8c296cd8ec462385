/** A convention of the framework. */
export interface Idiom {
  /** Stable id, used in findings. */
  readonly rule: string;
  readonly topic: string;
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly why: string;
  readonly do: string;
  readonly dont: string;
  /** Whether `fw_check_idioms` can check it in the sources. */
  readonly statically_checked: boolean;
}

/** All conventions that the tools know. */
export const IDIOMS: readonly Idiom[] = [
  {
    rule: 'no-reflection-in-handlers',
    topic: 'request path',
    severity: 'error',
    summary: 'Nothing on the request path evaluates code or reads metadata.',
    why: 'Validators, scanners and accessors are generated so that a request runs plain functions; eval, new Function and metadata look-ups undo that, and the first two open a hole.',
    do: 'Declare schemas and models; use what fw codegen wrote.',
    dont: 'eval(), new Function(), Reflect.getMetadata() or require() inside a handler.',
    statically_checked: true,
  },
  {
    rule: 'fleet-before-dashboard',
    topic: 'middleware order',
    severity: 'error',
    summary: 'Fleet stands before the dashboard in app.config.ts.',
    why: 'The dashboard records the trace id of a request, which exists only inside the Fleet middleware.',
    do: "plugin(() => import('fw/fleet/tracer'), ...), then plugin(() => import('fw/dashboard'), ...)",
    dont: 'List the dashboard first: its records then carry no trace id.',
    statically_checked: true,
  },
  {
    rule: 'docs-ui-is-the-viewer',
    topic: 'API reference',
    severity: 'warning',
    summary: 'The API reference UI is called docs UI: use docsUIMiddleware and DocsUIOptions.',
    why: 'The names of earlier viewers are deprecated aliases and serve the same page.',
    do: 'docsUIMiddleware(router, { title, version })',
    dont: 'scalarMiddleware, swaggerMiddleware and their options.',
    statically_checked: true,
  },
  {
    rule: 'generated-model-accessors',
    topic: 'queries',
    severity: 'warning',
    summary: 'Queries name columns by generated accessors, not by text.',
    why: 'An accessor is renamed with its column, checked by the compiler and never quoted wrongly.',
    do: "import { user } from '../generated/user.js'; model(db, User).where(user.email.eq(email))",
    dont: "Hand-written SQL text that names a project's own table, where a query would do.",
    statically_checked: true,
  },
  {
    rule: 'blocking-for-slow-work',
    topic: 'event loop',
    severity: 'warning',
    summary: 'Work that keeps the event loop busy runs on a worker: handleBlocking.',
    why: 'One synchronous second is a second in which every other request of the process waits.',
    do: "handleBlocking('POST', '/report', { module: './report.js', export: 'render' }); async I/O everywhere else.",
    dont: 'readFileSync, execSync, pbkdf2Sync and their like inside a handler.',
    statically_checked: true,
  },
  {
    rule: 'marker-blocks-are-generated',
    topic: 'generated code',
    severity: 'warning',
    summary: 'What stands in generated/ or between fw: markers is generated; change what it is generated from.',
    why: 'Generators refuse to overwrite edits, or overwrite them when they are told to.',
    do: 'Change the model, the route module or the options, and run fw codegen.',
    dont: 'Edit files in generated/, or between a start and an end marker.',
    statically_checked: true,
  },
];

/** Idioms for a topic: an exact rule, an exact topic, or (from four characters on) a part of the text. */
export function findIdioms(topic: string): readonly Idiom[] {
  const wanted = topic.trim().toLowerCase();
  const exact = IDIOMS.filter((idiom) => idiom.rule === wanted || idiom.topic.toLowerCase() === wanted);
  if (exact.length > 0 || wanted.length < 4) return exact;
  return IDIOMS.filter(({ rule, topic, summary }) => `${rule} ${topic} ${summary}`.toLowerCase().includes(wanted));
}
