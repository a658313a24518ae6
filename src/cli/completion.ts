import type { Argument, Command, Option } from 'commander'

/** A bash completion script for a command and all below it: text, so that no program is started at every key. */
export function bashCompletion(program: Command): string {
  const nodes = nodesOf(program, '')
  const name = program.name()
  return `# bash completion for ${name}, made by: ${name} completion bash
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local path='' commands='' valued='' options='' words='' i
  COMPREPLY=()
  # The shell makes words of their own of "=" and what stands around it.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _${name}_node
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ $valued == *" \${COMP_WORDS[i]} "* ]]; then
      [[ \${COMP_WORDS[i + 1]} == '=' ]] && ((i++))
      ((i++))
    elif [[ $commands == *" \${COMP_WORDS[i]} "* ]]; then
      path="\${path:+$path }\${COMP_WORDS[i]}"
      _${name}_node
    fi
  done
  if [[ $valued == *" $prev "* ]]; then
    case "$path $prev" in
${valueCases(nodes)}      *) return ;;
    esac
  elif [[ $cur == -* ]]; then
    words=$options
  else
    words=\${commands:-$words}
  fi
  if [[ $words == FILES ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}

# What may follow a path of commands: the names of its commands, its options, which of them take a value, and its arguments.
_${name}_node() {
  case $path in
${nodes.map(nodeCase).join('')}  esac
}

complete -F _${name} ${name}
`
}

interface CompletionNode {
  /** The words that lead there, without the program's. */
  path: string
  commands: string[]
  options: Option[]
  words: string
}

function nodesOf(command: Command, path: string, above: readonly Option[] = []): CompletionNode[] {
  const help = command.createHelp()
  const visible = [...help.visibleOptions(command), ...above]
  const commands = help.visibleCommands(command).filter((sub) => sub.name() !== 'help')
  const [argument] = command.registeredArguments
  const here = { path, commands: commands.map((sub) => sub.name()), options: visible, words: wordsOf(argument) }
  // What the program takes goes with each of its commands; the help is each one's own.
  const passed = path === '' ? visible.filter(({ long }) => long !== '--help') : above
  return [here, ...commands.flatMap((sub) => nodesOf(sub, path === '' ? sub.name() : `${path} ${sub.name()}`, passed))]
}

/** `FILES`: any file. */
function wordsOf(value: Argument | Option | undefined): string {
  if (value === undefined) return ''
  if (value.argChoices) return value.argChoices.join(' ')
  return /^(file|files|path|png)$/.test(valueName(value)) ? 'FILES' : ''
}

function valueName(value: Argument | Option): string {
  const text = 'flags' in value ? value.flags : value.name()
  return (/[<[]([\w-]+)/.exec(text)?.[1] ?? text).toLowerCase()
}

function nodeCase({ path, commands, options, words }: CompletionNode): string {
  const list = (names: string[]) => (names.length === 0 ? "''" : `' ${names.join(' ')} '`)
  const valued = options.filter(({ required }) => required)
  return `    '${path}')
      commands=${list(commands)}
      options=${list(options.flatMap(({ long }) => long ?? []))}
      valued=${list(valued.flatMap(({ long, short }) => [long, short].filter((name) => name !== undefined)))}
      words=${words === '' ? "''" : `'${words}'`} ;;
`
}

function valueCases(nodes: CompletionNode[]): string {
  return nodes
    .flatMap(({ path, options }) =>
      options.map((option) => {
        const words = wordsOf(option)
        return words === '' || !option.required ? '' : `      '${path} ${option.long}') words='${words}' ;;\n`
      }),
    )
    .join('')
}
