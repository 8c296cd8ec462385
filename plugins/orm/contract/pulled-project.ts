import { readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { Compiler } from '../../../codegen/corpus/compiler.js';
import { PULLED_OPTIONS } from '../db-check/compiler-options.js';

const APP_CONFIG =
  "import { defineApp } from 'fw';\nexport default defineApp({ name: 'pulled', models: ['*.ts'], plugins: [] });\n";

/** Makes a folder of pulled models a project. */
export async function makeProject(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'app.config.ts'), APP_CONFIG);
  await mkdir(join(folder, 'node_modules'));
  await symlink(process.cwd(), join(folder, 'node_modules/fw'));
}

const compiler = new Compiler();

/** What is wrong with a project, as `tsc` says it, but for what the files of the framework would say. */
export function mistakesIn(folder: string): readonly string[] {
  const { options, errors } = ts.convertCompilerOptionsFromJson(PULLED_OPTIONS, folder);
  if (errors.length > 0) return errors.map(({ messageText }) => `compiler options: ${String(messageText)}`);
  const files = [folder, join(folder, 'generated')].flatMap((at) =>
    readdirSync(at)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(at, file)),
  );
  return compiler.errorsIn({ root: folder, files, options });
}
