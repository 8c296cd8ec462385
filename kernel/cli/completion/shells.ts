import type { Candidate } from '../../contracts/index.js';

/** How a shell asks for completions, and in which form it takes them. */
export interface Shell {
  /** Script for the file that the shell reads at its start. */
  readonly script: string;
  line(candidate: Candidate): string;
}

/**
 * The shells, by name. Each script calls the `fw` of the typed line, so that it completes the commands of that project, and falls back to
 * file names where fw has no candidates.
 */
export const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    script: `_fw_complete() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _fw_complete fw
`,
    line: ({ word }) => word,
  },
  zsh: {
    // A zsh whose settings do not begin with compinit has no completion at all.
    script: `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_fw_complete() {
  local -a found
  found=("\${(@f)$("\${words[1]}" complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then _describe fw found; else _files; fi
}
compdef _fw_complete fw
`,
    // https://zsh.sourceforge.io/Doc/Release/Completion-System.html, _describe: the colon ends the word.
    line: ({ word, about }) => `${word.replaceAll(':', '\\:')}${about === '' ? '' : `:${about}`}`,
  },
  fish: {
    script: `function __fw_complete
  set -l words (commandline -opc)
  set -l found ($words[1] complete fish -- $words[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c fw -f -a '(__fw_complete)'
`,
    line: ({ word, about }) => (about === '' ? word : `${word}\t${about}`),
  },
};
