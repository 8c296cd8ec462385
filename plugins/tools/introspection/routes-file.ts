import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Static, Type } from 'typebox';
import type { ToolData } from '../../../kernel/contracts/tool.js';
import { fwError, type ToolContext, validatorOf } from '../../../kernel/index.js';
import { Integer, optional, Text, YesNo } from '../../../kernel/schema/index.js';
import { INTROSPECTION_ERRORS } from './errors.js';

/** Where `fw codegen` writes the route list, relative to the project. */
export const ROUTES_FILE = 'generated/routes.json';

/** One declared route. */
export const RouteEntry = Type.Object({
  block: Type.String({ description: 'route module that declares it' }),
  method: Text,
  path: Text,
  handler: Text,
  blocking: YesNo,
  middleware: Type.Integer({ description: 'middlewares of this route and its groups' }),
  roles: optional(Type.Array(Text, { description: 'roles of which a caller needs one; empty: any valid credentials' })),
  public: optional(Type.Boolean({ description: 'anybody may call it, whatever its group says' })),
  title: optional(Text),
  file: optional(Text),
  line: optional(Integer),
  unresolved: optional(
    Type.Array(Type.Object({ what: Text, file: Text, line: Integer, reason: Text }), {
      description: 'what is only known at run time',
    }),
  ),
});
export type RouteEntry = ToolData<Static<typeof RouteEntry>>;

const RoutesFile = Type.Object({ routes: Type.Array(RouteEntry) });

/**
 * Reads the declared routes of a project without running it.
 * @throws FwError `FW_TOOLS_NO_ROUTES_FILE`, `FW_TOOLS_ROUTES_FILE`, or the refusal of a file that is a link to elsewhere
 */
export async function readRoutes(project: string, context: ToolContext): Promise<readonly RouteEntry[]> {
  const text = await readText(await context.confine(path.join(project, ROUTES_FILE)), project);
  const content = parsed(text, project);
  const file = (Array.isArray(content) ? { routes: content } : content) as Static<typeof RoutesFile>;
  const [issue] = validatorOf(RoutesFile).check(file);
  if (issue) throw unreadable(project, `${issue.path || 'its content'} ${issue.message}`);
  return file.routes.map(shown);
}

// Leaves out details of the file, such as schemas, that a list does not need.
function shown({ block, method, path, handler, blocking, middleware, ...more }: RouteEntry): RouteEntry {
  const { roles, public: isPublic, title, file, line, unresolved = [] } = more;
  return {
    block,
    method,
    path,
    handler,
    blocking,
    middleware,
    roles,
    public: isPublic || undefined,
    title: title || undefined,
    file: file || undefined,
    line,
    unresolved: unresolved.length > 0 ? unresolved : undefined,
  };
}

async function readText(file: string, dir: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unreadable(dir, String(code), cause);
    throw fwError(INTROSPECTION_ERRORS.FW_TOOLS_NO_ROUTES_FILE, { file: ROUTES_FILE, dir }, { cause });
  }
}

function parsed(text: string, dir: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(dir, 'it is not JSON', cause);
  }
}

function unreadable(dir: string, problem: string, cause?: unknown) {
  return fwError(INTROSPECTION_ERRORS.FW_TOOLS_ROUTES_FILE, { file: ROUTES_FILE, dir, problem }, { cause });
}
