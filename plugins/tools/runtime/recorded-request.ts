import { type Static, Type } from 'typebox';
import type { ToolData } from '../../../kernel/contracts/tool.js';
import { brief, type ToolContext } from '../../../kernel/index.js';
import { Integer, optional, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { LiveProblem } from './live-service.js';
import { type ServiceArguments, serviceOf } from './service-input.js';

/** Request header that identifies the request of a call in the dashboard. */
export const MARKER = 'fw-simulation';

const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;
const SHOWN_STACK_LINES = 8;
const SHOWN_MESSAGE = 300;

const Cause = Type.Object({
  name: Text,
  message: Text,
  at: Text,
  frames: Type.Array(Text, { description: "the app's own lines, innermost first" }),
  stack: Text,
});
const Step = Type.Object({ kind: Text, name: Text, failed: YesNo });
const Detail = Type.Object({
  timeline: Type.Array(Step),
  cause: optional(Cause),
  handler: optional(Text),
  statements: optional(Integer),
  correlated: optional(YesNo),
});

/** The dashboard's record of one request. */
export const RecordedRequest = Type.Object({
  cause: optional(Cause),
  logged: optional(Type.Array(Text, { description: 'what it logged' })),
  statements: optional(Type.Integer({ description: 'it ran on the database' })),
  last_statement: optional(Text),
  notes: Texts,
});
export type RecordedRequest = ToolData<Static<typeof RecordedRequest>>;

/** The dashboard's record of the request with a marker; only a note if there is no record, or it may not be read. */
export async function recordedRequest(
  given: ServiceArguments & { readonly detail?: boolean },
  base: string,
  marker: string,
  status: number,
  context: ToolContext,
): Promise<RecordedRequest> {
  try {
    const detail = await readDetail(given, base, marker, context);
    return detail ? shown(detail, given.detail ?? false) : { notes: [] };
  } catch (error) {
    if (!(error instanceof LiveProblem)) throw error;
    // A successful answer needs no explanation.
    return {
      notes:
        status < 500
          ? []
          : [`Why is not known here: the dashboard could not be read (${error.kind}). ${error.message}`],
    };
  }
}

async function readDetail(given: ServiceArguments, base: string, marker: string, context: ToolContext) {
  // The bearer token is for the application, not for the dashboard.
  const { token: _token, ...rest } = given;
  const service = await serviceOf(
    context.application ? rest : { ...rest, service_url: given.service_url ?? base },
    context,
  );
  const what = 'the record of the request';
  const found = await service.read({
    endpoint: 'requests',
    query: { marker, limit: 1 },
    what,
    schema: Type.Array(Type.Object({ id: Text })),
  });
  const [record] = found;
  return record && service.read({ endpoint: `requests/${record.id}`, what, schema: Detail });
}

function shown(
  { timeline, cause, handler, statements, correlated }: Static<typeof Detail>,
  detail: boolean,
): RecordedRequest {
  const logged = timeline.filter(({ kind }) => kind === 'log').map(({ name }) => brief(name, SHOWN_CHARACTERS));
  const last = timeline.filter(({ kind }) => kind === 'query').at(-1);
  return {
    ...(cause && { cause: { ...cause, at: cause.at || handler || '', ...(!detail && shortened(cause)) } }),
    logged: logged.length > 0 ? logged.slice(-SHOWN_LINES) : undefined,
    statements,
    last_statement: last && cause && brief(last.name, SHOWN_CHARACTERS),
    notes:
      cause && correlated === false
        ? ['What it logged is not known by request: option timeline of fw/dashboard (on in profile dev).']
        : [],
  };
}

// The message, and so the first lines of the stack, may contain data of the request.
function shortened({ message, stack }: Static<typeof Cause>) {
  return { message: brief(message, SHOWN_MESSAGE), stack: firstLines(stack) };
}

function firstLines(stack: string): string {
  const lines = stack.split('\n').map((line) => brief(line, SHOWN_MESSAGE));
  const left = lines.length - SHOWN_STACK_LINES;
  return left <= 0
    ? lines.join('\n')
    : `${lines.slice(0, SHOWN_STACK_LINES).join('\n')}\n    (${left} more lines with detail)`;
}
