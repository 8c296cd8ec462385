/** The files of a project as `fw new` lays it out. */
const APP_FILES = ['app.config.ts', 'app/**/*.ts', 'src/**/*.ts', 'generated/**/*.ts'] as const;

const NEVER = ['**/*.test.ts', '**/*.d.ts', '**/node_modules/**', 'dist/**'];

/** The files of a project that its globs name, without files that only imports reach; relative paths, sorted. */
export async function startFiles(root: string, include: readonly string[] = APP_FILES): Promise<readonly string[]> {
  // Loaded when it is asked for: an application that starts has no need of it.
  const { glob } = await import('tinyglobby');
  return (await glob([...include], { cwd: root, ignore: NEVER })).sort();
}
