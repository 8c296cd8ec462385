import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const IMPORT = /^import \{([^}]*)\} from '(\.[^']*\.js)';/gm;
const EXPORT = /^export \{([^}]*)\} from '([^']+)';/gm;

// Paths below are relative to the repository.
const KERNEL_INDEX = /^kernel\/(?:[\w-]+\/)?index\.ts$/;
// Rooms of the kernel that a library uses. The other rooms serve a running application: the logger, files, processes.
const LIGHT_ROOMS = [
  'errors',
  'values',
  'bounded',
  'invocation',
  'container',
  'contracts',
  'diagnostics',
  'context',
  'config',
  'plugin',
  'schema',
];
const LIGHT = new RegExp(`^kernel/(?:${LIGHT_ROOMS.join('|')})/`);
// Modules that load something large: node:http, node:fs or Inversify, which cost a library more than the modules' own code.
const HEAVY = /^kernel\/(errors\/problem|config\/load-config|container\/(?!token))/;
const isLight = (module) => LIGHT.test(module) && !HEAVY.test(module);
// Modules that the kernel proper does not import.
const USER = /^(plugins|codegen|kernel\/(cli|bin|build|testing))\//;
// Modules that declare a plugin: a third of the light rooms' code, and all that `fw/orm` needs.
const DECLARING =
  /^kernel\/(?:(?:errors|values|bounded|invocation|container|contracts|diagnostics)\/|plugin\/(?:define-plugin|errors|framework-range|framework-version)\.ts$)/;
const DECLARING_INDEX = 'fw-declaring-kernel';
const LIGHT_INDEX = 'fw-light-kernel';
const indexOf = (module) => (DECLARING.test(module) ? DECLARING_INDEX : LIGHT_INDEX);

/**
 * esbuild plugin: splits the kernel in three. esbuild puts modules into chunks by the entries that reach them, and through the kernel's
 * index an entry reaches everything: `fw/orm` as a library would load the container, the logger and the process runner. So an import from
 * an index of the kernel is rewritten to the index of one of two light parts where that exports the name: the modules that declare a
 * plugin, and the others that a library needs. There are three parts and not a chunk per module, because loading one more file takes longer
 * than loading its code.
 *
 * @param {string} root - of the repository
 */
export function directKernelImports(root) {
  const indexes = new Indexes(root);
  return {
    name: 'direct-kernel-imports',
    setup(build) {
      build.onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path: absolute }) => {
        const file = path.relative(root, absolute);
        if (!/^(kernel|plugins|codegen)\//.test(file)) return undefined;
        const contents = await rewritten(await readFile(absolute, 'utf8'), file, indexes);
        // The index of a heavy room imports the light parts as a whole, so that esbuild keeps each light part in one chunk.
        const isHeavyIndex = KERNEL_INDEX.test(file) && !LIGHT.test(file);
        return { loader: 'ts', contents: isHeavyIndex ? `import '${LIGHT_INDEX}'; ${contents}` : contents };
      });
      for (const index of [DECLARING_INDEX, LIGHT_INDEX]) {
        build.onResolve({ filter: new RegExp(`^${index}$`) }, () => ({ path: 'index', namespace: index }));
        build.onLoad({ filter: /.*/, namespace: index }, async () => ({
          loader: 'js',
          resolveDir: root,
          contents: await indexText(index, root, indexes),
        }));
      }
    },
  };
}

async function rewritten(text, file, indexes) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(IMPORT)) {
    const target = path.join(path.dirname(file), found[2].replace(/\.js$/, '.ts'));
    const direct = await directImports(namesIn(found[1]), target, file, indexes);
    if (direct === undefined) continue;
    // The imports stand on one line, followed by as many line breaks as before: positions in the source map stay.
    parts.push(text.slice(end, found.index), direct.join(' '), '\n'.repeat(found[0].split('\n').length - 1));
    end = found.index + found[0].length;
  }
  return parts.join('') + text.slice(end);
}

async function directImports(names, target, file, indexes) {
  // The kernel does not import its own light index, which would be an import cycle.
  const isUser = USER.test(file);
  const line = (name, local, from) => `import { ${name} as ${local} } from '${specifierFrom(file, from)}';`;
  if (!KERNEL_INDEX.test(target)) {
    return isUser && isLight(target) ? names.map(({ name, local }) => line(name, local, indexOf(target))) : undefined;
  }
  return Promise.all(
    names.map(async ({ name, local }) => {
      const { module, exported } = await indexes.declarationOf(name, target);
      if (!isUser || !module.endsWith('.ts')) return line(exported, local, module);
      if (isLight(module)) return line(exported, local, indexOf(module));
      return `import '${LIGHT_INDEX}'; ${line(name, local, target)}`;
    }),
  );
}

function specifierFrom(file, module) {
  if (!module.endsWith('.ts')) return module;
  const relative = path.relative(path.dirname(file), module);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

async function indexText(index, root, indexes) {
  const reexported = await Promise.all(LIGHT_ROOMS.map((room) => indexes.modulesOf(`kernel/${room}/index.ts`)));
  // Contracts may also be imported one by one.
  const contracts = (await readdir(path.join(root, 'kernel/contracts'))).filter((name) => !name.endsWith('.test.ts'));
  const modules = [...reexported.flat(), ...contracts.map((name) => `kernel/contracts/${name}`)];
  const light = new Set(modules.filter((module) => isLight(module) && !KERNEL_INDEX.test(module)));
  const exported = [...light]
    .filter((module) => indexOf(module) === index)
    .map((module) => `export * from './${module}';`);
  return [...(index === LIGHT_INDEX ? [`import '${DECLARING_INDEX}';`] : []), ...exported].join('\n');
}

/** The names that the kernel's indexes export, and the modules that declare them. */
class Indexes {
  #root;
  #exports = new Map();

  constructor(root) {
    this.#root = root;
  }

  /** The module, or package, behind a name that an index exports, and the name there. */
  async declarationOf(name, index) {
    const found = (await this.#exportsOf(index)).get(name);
    if (found === undefined) return { module: index, exported: name };
    if (!found.from.startsWith('.')) return { module: found.from, exported: found.name };
    const module = path.join(path.dirname(index), found.from.replace(/\.js$/, '.ts'));
    return KERNEL_INDEX.test(module) ? this.declarationOf(found.name, module) : { module, exported: found.name };
  }

  /** Every module behind an index. */
  async modulesOf(index) {
    const names = [...(await this.#exportsOf(index)).keys()];
    return Promise.all(names.map(async (name) => (await this.declarationOf(name, index)).module));
  }

  #exportsOf(index) {
    if (!this.#exports.has(index)) this.#exports.set(index, this.#read(index));
    return this.#exports.get(index);
  }

  async #read(index) {
    const text = await readFile(path.join(this.#root, index), 'utf8');
    const found = [...text.matchAll(EXPORT)].flatMap(([, names, from]) =>
      namesIn(names).map(({ name, local }) => [local, { name, from }]),
    );
    return new Map(found);
  }
}

/** `a, type B, c as d`, without the types. */
function namesIn(list) {
  const names = list.split(',').map((each) => each.trim());
  return names
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => {
      const [name, local = name] = each.split(/\s+as\s+/);
      return { name, local };
    });
}
