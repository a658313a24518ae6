import { Command as Base, Option } from 'commander'

/** A command of `fisk`, with what many of them say in the same way. */
export class Command extends Base {
  override createCommand(name?: string): Command {
    return new Command(name)
  }

  /** Adds options that several commands share. */
  with(options: readonly Option[]): this {
    for (const option of options) this.addOption(option)
    return this
  }

  /** Adds an option whose value is one of a few. */
  choice(flags: string, description: string, values: readonly string[]): this {
    return this.addOption(new Option(flags, description).choices(values))
  }

  /** Command lines at the end of the help. */
  examples(...lines: string[]): this {
    return this.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
}
