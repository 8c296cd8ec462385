import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BuildFailure } from 'esbuild';
import { glob } from 'tinyglobby';
import { fwError } from '../errors/index.js';
import { BUILD_ERRORS } from './errors.js';

/** What to build. */
export interface AppBuild {
  /** Project folder, with `app.config.ts`. */
  readonly root: string;
  /**
   * Globs of the files that make up the application; tests are always left out. Default {@link APP_FILES}, and whatever
   * `app.config.ts` reaches through its imports.
   */
  readonly include?: readonly string[] | undefined;
}

/** What was built. */
export interface AppBuildResult {
  /** Folder of the output. */
  readonly outDir: string;
  /** Number of files compiled. */
  readonly files: number;
}

/** The files of a project as `fw new` lays it out. */
export const APP_FILES = ['app.config.ts', 'app/**/*.ts', 'src/**/*.ts', 'generated/**/*.ts'] as const;
const CONFIG = 'app.config.ts';
const TYPESCRIPT = /\.[cm]?tsx?$/;
const NEVER = ['**/*.test.ts', '**/*.d.ts', '**/node_modules/**', 'dist/**'];

/**
 * Compiles an application's TypeScript to `dist/`, file by file, keeping its folders, so that relative URLs and stack traces
 * mean the same in both. Types are not checked: that is `tsc`'s part.
 *
 * @throws FwError `FW_BUILD_FAILED` when an import leads nowhere or a file does not parse
 */
export async function buildApp({ root, include }: AppBuild): Promise<AppBuildResult> {
  // Loaded here, because esbuild belongs to the tools and not to a running application.
  const { build } = await import('esbuild');
  const found = await glob([...(include ?? APP_FILES)], { cwd: root, ignore: NEVER });
  const files = include ? found : [...new Set([...found, ...(await reachable(root))])];
  const outDir = path.join(root, 'dist');
  await build({
    absWorkingDir: root,
    entryPoints: files.sort(),
    outdir: outDir,
    outbase: '.',
    bundle: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  return { outDir, files: files.length };
}

// Models and routes may lie anywhere: the configuration names their folders, and its imports lead to them.
async function reachable(root: string): Promise<string[]> {
  if (!existsSync(path.join(root, CONFIG))) return [];
  const { build, formatMessages } = await import('esbuild');
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [CONFIG],
      outdir: 'dist',
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    return Object.keys(metafile.inputs).filter((file) => TYPESCRIPT.test(file) && !file.startsWith('..'));
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    const problems = (await formatMessages(error.errors, { kind: 'error' })).join('').trim();
    throw fwError(BUILD_ERRORS.FW_BUILD_FAILED, { problems }, { cause: error });
  }
}

const isBuildFailure = (error: unknown): error is BuildFailure => error instanceof Error && 'errors' in error;
