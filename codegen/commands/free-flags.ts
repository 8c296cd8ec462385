/** Arguments of a command whose flags depend on another argument. */
interface FreeArguments {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean>>;
}

/**
 * Separates words and flags, in any order: `--name=value`, `--name value`, and `--name` alone for those that are switches.
 * @param isSwitch - whether a flag takes no value
 */
export function freeFlags(args: readonly string[], isSwitch: (name: string) => boolean): FreeArguments {
  const words: string[] = [];
  const flags: Record<string, string | boolean> = {};
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    const [, name, , value] = /^--([^=]+)(=([\s\S]*))?$/.exec(arg) ?? [];
    if (name === undefined) words.push(arg);
    else if (isSwitch(name)) flags[name] = value === undefined ? true : (switchValue(value) ?? value);
    else if (value !== undefined) flags[name] = value;
    else if (args[at + 1] !== undefined && !args[at + 1]?.startsWith('--')) flags[name] = args[(at += 1)] as string;
    else flags[name] = true;
  }
  return { words, flags };
}

/** The same arguments with switches that stand before the first word put behind it, where the word says which flags there are. */
export function switchesBehind(args: readonly string[], switches: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => !switches.some((name) => arg === `--${name}` || arg.startsWith(`--${name}=`)));
  return at <= 0 ? args : [args[at] as string, ...args.slice(0, at), ...args.slice(at + 1)];
}

function switchValue(text: string): boolean | undefined {
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

/** Whether arguments ask for help. Commands whose flags depend on another argument answer that themselves. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.some((arg) => arg === '--help' || arg === '-h');
}
