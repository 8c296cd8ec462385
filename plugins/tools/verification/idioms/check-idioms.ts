import { IDIOMS } from '../../knowledge/index.js';
import type { RunContext } from '../project.js';
import { blocking } from './blocking.js';
import { columnNames } from './column-names.js';
import type { Finding } from './finding.js';
import { generatedBlocks } from './generated-blocks.js';
import { requestPath } from './handlers.js';
import { Names } from './names.js';
import { pluginOrder } from './plugin-order.js';
import { reflection } from './reflection.js';
import type { IdiomRule, Objection } from './rule.js';
import { readSources, type Sources } from './sources.js';
import { viewerNames } from './viewer-names.js';

const MAX_EXCERPT = 200;

/** Result of a check of a project's sources. */
interface IdiomReport {
  /** By file, then line. */
  readonly findings: readonly Finding[];
  readonly filesChecked: number;
  readonly rules: readonly string[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/** Checks all conventions that are visible in the sources, without running them. */
export async function checkIdioms(root: string, context: RunContext): Promise<IdiomReport> {
  const sources = await readSources(root, context);
  const rules = await allRules();
  const names = new Names(sources);
  const input = { sources, names, handlers: requestPath(sources, names), tables: await tablesOf(sources) };
  const findings: Finding[] = [];
  for (const rule of rules) for (const objection of rule.check(input)) findings.push(findingOf(rule, objection));
  return {
    findings: findings.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)),
    filesChecked: sources.files.length,
    rules: rules.map(({ rule }) => rule),
    skipped: sources.skipped,
  };
}

async function allRules(): Promise<readonly IdiomRule[]> {
  const { blocksOf } = await import('../../../../codegen/schematics/index.js');
  return [reflection, pluginOrder, viewerNames, columnNames, blocking, generatedBlocks(blocksOf)];
}

// All models of the project by table. Skips models with mistakes, which fw codegen reports.
async function tablesOf({ project, files }: Sources): Promise<ReadonlyMap<string, string>> {
  const [{ readModels }, { moduleResolverOf }] = await Promise.all([
    import('../../../../codegen/orm/model-store.js'),
    import('../../../../codegen/program/index.js'),
  ]);
  moduleResolverOf(project).withoutPackages();
  const candidates = files.filter(({ text }) => /['"]fw\/orm['"]/.test(text));
  const read = readModels(
    candidates.map(({ path }) => `/${path}`),
    project,
  );
  const models = read.flatMap((each) => each.models);
  // Several databases may have tables with the same name, each with its own model.
  const tables = new Map<string, string>();
  for (const { table, name } of models) tables.set(table, [tables.get(table), name].filter(Boolean).join(' or '));
  return tables;
}

function findingOf({ rule }: IdiomRule, { file, start, message, fix, replacement }: Objection): Finding {
  const { line, character } = file.tree.getLineAndCharacterOfPosition(start);
  return {
    file: file.path,
    line: line + 1,
    column: character + 1,
    rule,
    severity: IDIOMS.find((idiom) => idiom.rule === rule)?.severity ?? 'warning',
    message,
    excerpt: file.text.split('\n')[line]?.trim().slice(0, MAX_EXCERPT) ?? '',
    fix,
    ...(replacement && { replacement }),
  };
}
