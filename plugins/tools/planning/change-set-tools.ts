import path from 'node:path';
import type { Static } from 'typebox';
import {
  defineTool,
  digestOf,
  fwError,
  isFwError,
  pageOf,
  type Tool,
  type ToolContext,
  Type,
} from '../../../kernel/index.js';
import { interruptedWrites, recordedRecoveries } from '../../../kernel/fs/index.js';
import {
  Anything,
  Integer,
  Members,
  optional,
  optionalText,
  Text,
  Texts,
  YesNo,
} from '../../../kernel/schema/index.js';
import type { GeneratorContext } from '../../../codegen/schematics/index.js';
import { Change, flagValues, fwAdd, fwGenerate, migrationCall, oneAtATime } from '../generation/index.js';
import { ChangeSets, MAX_CALLS, newChanges, type OpenChangeSet, type StagedCall } from './change-sets.js';
import { PLANNING_ERRORS } from './errors.js';
import { appendHistory, HISTORY_FILE, readHistory } from './history.js';
import { lossesOf, questionAbout } from './losses.js';
import { overlay } from './overlay.js';

const STAGEABLE: Readonly<Record<string, Tool>> = { fw_generate: fwGenerate, fw_add: fwAdd };

const SHOWN_RECOVERIES = 5;
/** Characters of each list in an answer. */
const MOST_CHARACTERS = 1_800;

const Staged = Type.Object({
  tool: Text,
  arguments: Members,
  changes: Type.Array(Change),
  output: Texts,
  staged_at: Text,
});
const Id = Type.String({ description: 'id that fw_begin_change_set gave' });
const Conflict = Type.Object({ path: Text, reason: Text });
const project = optionalText('project root');

/** The five tools around one store of change sets. */
export function changeSetTools(): readonly Tool[] {
  const sets = new ChangeSets();
  return [beginTool(sets), stageTool(sets), commitTool(sets), discardTool(sets), historyTool()];
}

// Without a project there is nothing to change, and no history that could be empty.
async function projectAt(given: string | undefined, { workspace }: ToolContext): Promise<string> {
  const root = given ?? workspace;
  (await import('../../../codegen/schematics/index.js')).requireProject(root);
  return root;
}

const beginTool = (sets: ChangeSets): Tool =>
  defineTool({
    name: 'fw_begin_change_set',
    description:
      'Open a change set over a project: generator calls are staged in it and written together, or not at all.',
    input: Type.Object({ project_path: project }),
    output: Type.Object({
      id: Text,
      project_path: Text,
      created_at: Text,
      staged: Type.Array(Staged),
      pending: Type.Array(Change),
      stageable_tools: Texts,
    }),
    paths: ['project_path'],
    reach: 'workspace',
    effects: ['writes-files'],
    destructive: false,
    run: async ({ project_path: given }, context) => {
      const root = await projectAt(given, context);
      const { id, files, created_at } = await sets.begin(root);
      return {
        summary: `Change set ${id} is open over ${files.root}. Stage calls with fw_stage_call, then fw_commit_change_set or fw_discard_change_set.`,
        structured: {
          id,
          project_path: files.root,
          created_at,
          staged: [],
          pending: [],
          stageable_tools: Object.keys(STAGEABLE).sort(),
        },
      };
    },
  });

const stageTool = (sets: ChangeSets): Tool =>
  defineTool({
    name: 'fw_stage_call',
    description: 'Run fw_generate or fw_add inside a change set; the project stays as it is until the commit.',
    input: Type.Object({
      change_set: Id,
      tool: Type.String({ description: 'fw_generate or fw_add' }),
      arguments: optional(Type.Record(Text, Anything, { description: 'of that tool, without dir' })),
    }),
    output: Type.Object({
      change_set: Text,
      call: Staged,
      pending: Type.Array(Change),
      staged_count: Integer,
      applied_to_project: YesNo,
      note: optional(Text),
    }),
    texts: ['change_set', 'tool', 'arguments'],
    reach: 'workspace',
    effects: ['writes-files'],
    destructive: false,
    run: async ({ change_set: id, tool, arguments: given = {} }, context) => {
      const set = sets.get(id);
      const known = stageable(tool, given);
      const input = await context.argumentsFor(known, given);
      if (set.calls.length >= MAX_CALLS)
        throw fwError(PLANNING_ERRORS.FW_TOOLS_CHANGE_SET_CALLS, { id, limit: MAX_CALLS });
      const { call, refused } = await oneAtATime(set.id, () => stage(set, known.name, input));
      if (!refused) set.calls.push(call);
      const pending = set.files.changes();
      const files = listed(pending, 'files that the commit writes');
      return {
        summary: refused
          ? `${tool} was refused and nothing was staged: ${call.output.at(-1) ?? ''}`
          : `Staged ${tool}: ${call.changes.length} file(s) changed, ${pending.length} pending in all. Nothing is written before fw_commit_change_set.`,
        structured: {
          change_set: set.id,
          call,
          pending: files.shown,
          staged_count: set.calls.length,
          applied_to_project: false,
          ...noteOf(files),
        },
        isError: refused,
      };
    },
  });

function stageable(tool: string, given: Readonly<Record<string, unknown>>): Tool {
  const known = Object.hasOwn(STAGEABLE, tool) ? STAGEABLE[tool] : undefined;
  const refuse = (problem: string) => fwError(PLANNING_ERRORS.FW_TOOLS_STAGE, { tool, problem });
  if (!known)
    throw refuse(
      tool === 'fw_new' ? 'a change set is over an existing project' : 'it is not among the tools that can be',
    );
  if ('dir' in given) throw refuse('dir must not be given, because the change set has its project');
  return known;
}

interface StagedOutcome {
  readonly call: StagedCall;
  readonly refused: boolean;
}

async function stage(
  set: OpenChangeSet,
  tool: string,
  { dir: _project, ...given }: Readonly<Record<string, unknown>>,
): Promise<StagedOutcome> {
  const { contextOver } = await import('../../../codegen/schematics/index.js');
  const output: string[] = [];
  const layer = overlay(
    contextOver(set.files, () => undefined),
    (line) => output.push(line),
  );
  const before = { changes: set.files.changes(), digests: await digestsOf(set) };
  const staged_at = new Date().toISOString();
  try {
    await perform(tool, given, layer);
    await layer.pass();
  } catch (error) {
    if (!isFwError(error)) throw error;
    return {
      refused: true,
      call: { tool, arguments: given, changes: [], output: [...output, error.message], staged_at },
    };
  }
  const after = await digestsOf(set);
  const changes = newChanges(before.changes, set.files.changes(), { before: before.digests, after });
  return { refused: false, call: { tool, arguments: given, changes, output, staged_at } };
}

async function perform(
  tool: string,
  given: Readonly<Record<string, unknown>>,
  context: GeneratorContext,
): Promise<void> {
  const { addFeature, generate } = await import('../../../codegen/schematics/index.js');
  const { flags, ...rest } = given as {
    flags?: Record<string, unknown>;
    kind: string;
    name: string;
    fields?: string[];
    feature: string;
  };
  if (tool === 'fw_add') await addFeature({ feature: rest.feature, flags: flagValues(flags) }, context);
  else await generate({ ...rest, flags: flagValues(flags) }, context);
}

async function digestsOf({ files }: OpenChangeSet): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const { path: file, change } of files.changes()) {
    const bytes = change === 'deleted' ? undefined : await files.read(file);
    digests.set(file, bytes ? digestOf(bytes) : 'deleted');
  }
  return digests;
}

const commitTool = (sets: ChangeSets): Tool =>
  defineTool({
    name: 'fw_commit_change_set',
    description:
      'Write everything that is staged in a change set, or nothing when a file has changed since; keeps a history.',
    input: Type.Object({ change_set: Id }),
    output: Type.Object({
      change_set: Text,
      project_path: Text,
      applied: Type.Array(Change),
      calls: Type.Array(Staged),
      conflicts: Type.Array(Conflict),
      generated: Texts,
      problems: Texts,
      warning: optional(Text),
      note: optional(Text),
    }),
    texts: ['change_set'],
    reach: 'workspace',
    effects: ['writes-files'],
    run: async ({ change_set: id }, context) => {
      const set = sets.get(id);
      return oneAtATime(set.id, () => commit(sets, set, context));
    },
  });

async function commit(sets: ChangeSets, set: OpenChangeSet, context: ToolContext) {
  // The caller who commits needs the permissions of all staged tools.
  for (const { tool } of set.calls) context.permit(STAGEABLE[tool] as Tool);
  const { commitAndGenerate, regenerated } = await import('../../../codegen/schematics/index.js');
  const notes: string[] = [];
  const generate = async () => {
    sets.close(set.id);
    if (set.files.changes().length > 0) notes.push(...(await record(set, context)));
    return regenerated(set.files.root);
  };
  const calls = listed(set.calls, 'calls that fw_get_change_history has');
  const base = { change_set: set.id, project_path: set.files.root, calls: calls.shown };
  const losses = lossesOf(set);
  if (losses.length > 0 && (await context.confirm(questionAbout(set, losses))) === 'no') {
    return {
      summary: `Nothing was written: who was asked does not want ${losses.join(', ')} to be replaced. The set stays open.`,
      structured: { ...base, applied: [], conflicts: [], generated: [], problems: [] },
      isError: true,
    };
  }
  let committed;
  try {
    committed = await commitAndGenerate(set.files, generate, { onRecovered: ({ text }) => notes.push(text) });
  } catch (error) {
    const conflicts = conflictsIn(error);
    if (!conflicts) throw error;
    return {
      summary: `Nothing was written: ${conflicts.map(({ path: file, reason }) => `${file} ${reason}`).join(', ')} since the change set saw it. The set stays open; discard it and stage the calls again on the new state.`,
      structured: { ...base, applied: [], conflicts, generated: [], problems: [] },
      isError: true,
    };
  }
  const applied = committed.files;
  const { generated, problems } = committed.result;
  const files = listed(applied, 'files that were written');
  const made = listed(generated, 'files of generated/');
  const warning = notes.join(' ');
  const migration = await migrationCall(set.files.root, applied, context);
  return {
    summary: `Committed ${applied.length} file(s) to ${set.files.root}.${migration} Call fw_verify_project to check them.${warning ? ` ${warning}` : ''}`,
    structured: {
      ...base,
      applied: files.shown,
      conflicts: [],
      generated: made.shown,
      problems,
      warning: warning || undefined,
      ...noteOf(calls, files, made),
    },
  };
}

const listed = <Item>(items: readonly Item[], more: string) => pageOf(items, undefined, more, MOST_CHARACTERS);

function noteOf(...lists: readonly { readonly notes: readonly string[] }[]): { note: string | undefined } {
  return { note: lists.flatMap((each) => each.notes).join(' ') || undefined };
}

function conflictsIn(error: unknown): readonly Static<typeof Conflict>[] | undefined {
  if (!isFwError(error) || error.code !== 'FW_CHANGESET_CONFLICT') return undefined;
  return error.details['conflicts'] as readonly Static<typeof Conflict>[];
}

// The files are written by now, so a history that cannot be written is a note, not a failure.
async function record(set: OpenChangeSet, context: ToolContext): Promise<readonly string[]> {
  const timestamp = new Date().toISOString();
  const entries = set.calls.map((call) => ({ timestamp, change_set: set.id, project_path: set.files.root, ...call }));
  try {
    await appendHistory(await context.confine(path.join(set.files.root, HISTORY_FILE)), entries);
    return [];
  } catch (error) {
    return [`The history could not be written: ${(error as Error).message}`];
  }
}

const discardTool = (sets: ChangeSets): Tool =>
  defineTool({
    name: 'fw_discard_change_set',
    description: 'Drop everything that is staged in a change set; the project stays as it is.',
    input: Type.Object({ change_set: Id }),
    output: Type.Object({
      change_set: Text,
      project_path: Text,
      discarded: Type.Array(Change),
      files_written: Integer,
      note: optional(Text),
    }),
    texts: ['change_set'],
    reach: 'workspace',
    effects: ['writes-files'],
    run: ({ change_set: id }) => {
      const set = sets.get(id);
      const discarded = set.files.discard();
      sets.close(set.id);
      const files = listed(discarded, 'files that nothing was written to');
      return Promise.resolve({
        summary: `Discarded ${discarded.length} pending file(s); ${set.files.root} is as it was.`,
        structured: {
          ...{ change_set: set.id, project_path: set.files.root, discarded: files.shown, files_written: 0 },
          ...noteOf(files),
        },
      });
    },
  });

const historyTool = (): Tool =>
  defineTool({
    name: 'fw_get_change_history',
    description: 'List the calls that change sets have committed to a project, newest first.',
    input: Type.Object({
      project_path: project,
      limit: optional(Type.Integer({ minimum: 0, description: 'most entries; 0 for all' })),
    }),
    output: Type.Object({
      project_path: Text,
      file: Text,
      entries: Type.Array(Members),
      count: Integer,
      interrupted: Type.Array(Members, {
        description: 'writes that were interrupted, and whether they are pending, finished or undone; newest first',
      }),
      note: optional(Text),
    }),
    paths: ['project_path'],
    reach: 'workspace',
    effects: [],
    run: async ({ project_path, limit }, context) => {
      const root = await projectAt(project_path, context);
      const file = await context.confine(path.join(root, HISTORY_FILE));
      const all = await readHistory(file);
      const page = pageOf(all, limit === 0 ? all.length : limit, 'pass limit, 0 for all');
      const interrupted = (await recordedRecoveries(root)).slice(0, SHOWN_RECOVERIES);
      const none = all.length === 0 ? 'Nothing was committed through a change set yet.' : undefined;
      const note = none ?? page.notes[0];
      const pending = await interruptedWrites(root);
      const [last] = interrupted;
      const ended = last && `A write was interrupted, and ${last.outcome} at ${last.time}: ${last.text}`;
      const told = [...pending.map(({ text }) => text), ...(ended ? [ended] : [])].map((each) => ` ${each}`).join('');
      return {
        summary: `${none ?? `${all.length} committed call(s), ${page.shown.length} shown.`}${told}`,
        structured: {
          project_path: root,
          file,
          entries: page.shown,
          count: page.shown.length,
          interrupted: [
            ...pending.map(({ outcome, files, text }) => ({ outcome, files, text })),
            ...interrupted.map((each) => ({ ...each })),
          ],
          note,
        },
      };
    },
  });
