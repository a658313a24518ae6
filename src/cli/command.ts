import { Command as Base, Option } from 'commander'

/** A command of `fisk`, with what many of them say in the same way. */
export class Command extends Base {
  override createCommand(name?: string): Command {
    return new Command(name)
  }

  with(options: readonly Option[]): this {
    for (const option of options) this.addOption(option)
    return this
  }

  choice(flags: string, description: string, values: readonly string[]): this {
    return this.addOption(new Option(flags, description).choices(values))
  }

  examples(...lines: string[]): this {
    return this.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
}
