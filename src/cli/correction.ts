import type { Command } from 'commander'
import { shellWord } from '../domain/shell-word.ts'

/** Options that are called otherwise than the field of `/v1` that they fill. */
const OPTION_OF: Readonly<Record<string, string>> = {
  company_id: '--company',
  premises_code: '--premises',
  premises_address: '--address',
  isu_number: '--isu',
  'address.postal_code': '--postal-code',
  'fiscal_config.default_vat_rate': '--vat-rate',
}

/** A command line as it was typed, the command that it names, and where in it the arguments of that one are. */
export interface Typed {
  command: Command
  words: readonly string[]
  places: number[]
}

export function typedLine(program: Command, words: readonly string[]): Typed {
  const typed: Typed = { command: program, words, places: [] }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const below = typed.places.length === 0 && typed.command.commands.find((one) => one.name() === word)
    const options = [...program.options, ...typed.command.options]
    if (below) typed.command = below
    else if (!/^-./.test(word)) typed.places.push(at)
    else if (options.some(({ long, required }) => required && long === word)) at++
  }
  return typed
}

/** The option that fills a field whose name is another one. */
export const optionOf = (field: string, { command }: Typed): string | null =>
  command.options.find(({ long }) => long === OPTION_OF[field])?.long ?? null

/** The typed line with the value of a field left open (`fisk isu set DEVICE 12345`); null for one it does not take. */
export function withOpen(field: string, { command, words, places }: Typed): string | null {
  const { registeredArguments: all, options } = command
  const name = OPTION_OF[field]?.slice(2) ?? field
  const place = places[all.findIndex((one) => one.name() === name)]
  if (place !== undefined) return lineOf(words.with(place, inCapitals(name)))
  const missing = all.slice(places.length).flatMap((one) => (one.required ? inCapitals(one.name()) : []))
  if (missing.includes(inCapitals(name))) return lineOf([...words, ...missing])
  const option = options.find(({ long }) => [`--${name}`, `--cert-${name}`, `--${name}-file`].includes(long ?? ''))
  if (!option?.long) return null
  const value = /<(.+)>/.exec(option.flags)?.[1]
  const at = words.findIndex((word) => word === option.long || word.startsWith(`${option.long}=`))
  const old = at < 0 ? 0 : words[at] === option.long && value ? 2 : 1
  const open = [option.long, ...(value ? [inCapitals(value)] : [])]
  return lineOf(words.toSpliced(at < 0 ? words.length : at, old, ...open))
}

/** What stands for a value that has to be typed: OIB for `oib-or-id`. */
const inCapitals = (name: string) => name.replace(/-or-.*/, '').toUpperCase()

/** Options stand as they are; `shellWord` would quote what only looks like one. */
const lineOf = (words: readonly string[]) =>
  ['fisk', ...words].map((word) => (/^--?[a-z][\w-]*$/.test(word) ? word : shellWord(word))).join(' ')

/** The same for a line that commander has not understood: with what it takes the word for, or with the help asked for. */
export function understood(message: string, typed: Typed): string {
  const { command, words } = typed
  const [, wrong, meant] = /'(.+?)'\n\(Did you mean (?:one of )?([^,?]+)/.exec(message) ?? []
  if (wrong && meant) return lineOf(words.map((word) => (word === wrong ? meant : word)))
  const field = /(?:option|argument) '(?:-\w, )?(?:--)?([\w-]+)/.exec(message)?.[1] ?? ''
  const path: string[] = []
  for (let at = command; at.parent; at = at.parent) path.unshift(at.name())
  return withOpen(field, typed) ?? lineOf([...path, '--help'])
}
