import { Command as Base, Option } from 'commander'

/** Options with a text, by name. */
export type Given<Name extends string> = { [K in Name]?: string }

/** Options that have to be given. */
export type Needed<Name extends string> = { [K in Name]: string }

/** Options without a value. */
export type Flags<Name extends string> = { [K in Name]?: true }

/** A command of `fisk`, with what many of them say in the same way. */
export class Command extends Base {
  override createCommand(name?: string): Command {
    return new Command(name)
  }

  subcommand(name: string, description: string): Command {
    return this.command(name).description(description)
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
