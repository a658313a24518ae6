import { Argument } from 'commander'
import type { Command } from '../command.ts'
import { bashCompletion } from '../completion.ts'
import type { Session } from '../session.ts'

export function register(program: Command, session: Session): void {
  program
    .subcommand('completion', 'Print a script that makes a shell complete commands, options and their values.')
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash']))
    .examples('fisk completion bash > /usr/share/bash-completion/completions/fisk', 'source <(fisk completion bash)')
    .action((shell: string) => {
      const script = bashCompletion(program)
      return session.show({ shell, script }, () => script)
    })
}
