import type { Command, Option } from 'commander'
import { wordsOf } from '../../support/documents.ts'
import { program } from '../../support/whole-program.ts'

/** `OIB`, `FILE.csv`, `POSL1@2026=1234`, `...`: what stands for a value. */
const isPlaceholder = (word: string) => /^[A-Z]|\.\.\./.test(word)

/** What is wrong with a command line of `fisk`, without its name. @param whole whether everything must be there */
export function problemsWith(words: string[], whole: boolean): string[] {
  let command: Command = program
  const problems: string[] = []
  const values: string[] = []
  const given = new Set<Option>()
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    // What comes now belongs to another program.
    if (word === '--')
      return command.registeredArguments.some(({ variadic }) => variadic) ? problems : [...problems, '-- is too much']
    if (word.startsWith('-') && word !== '-') {
      const [flag, inline] = word.split('=')
      if (flag === '--help' || flag === '-h' || flag === '--version' || flag === '-V') return problems
      const option = [...command.options, ...program.options].find(({ short, long }) => flag === long || flag === short)
      if (!option) problems.push(`${command.name()} has no option ${flag}`)
      else {
        given.add(option)
        const next = words[index + 1]
        const value = inline ?? (option.required || (option.optional && !next?.startsWith('-')) ? next : undefined)
        if (inline === undefined && value !== undefined) index += 1
        if (option.required && value === undefined && whole) problems.push(`${flag} has no value`)
        const { argChoices } = option
        if (argChoices && value !== undefined && !isPlaceholder(value) && !argChoices.includes(value)) {
          problems.push(`${flag} does not take ${value}`)
        }
      }
      continue
    }
    const next = values.length === 0 ? command.commands.find((sub) => sub.name() === word) : undefined
    if (next) command = next
    else if (command.commands.length > 0) return [...problems, `${command.name()} has no command ${word}`]
    else values.push(word)
  }
  const { registeredArguments: wanted } = command
  if (values.length > wanted.length && !wanted.at(-1)?.variadic) problems.push(`${values.at(-1)} is too much`)
  for (const [index, value] of values.entries()) {
    const choices = wanted[index]?.argChoices
    if (choices && !isPlaceholder(value) && !choices.includes(value)) problems.push(`${value} is not one of ${choices}`)
  }
  if (!whole) return problems
  if (command.commands.length > 0) problems.push(`${command.name()} needs a command`)
  const missing = wanted.filter(({ required }, index) => required && values[index] === undefined)
  const unset = command.options.filter((option) => option.mandatory && !given.has(option))
  return [
    ...problems,
    ...missing.map((argument) => `${argument.name()} is missing`),
    ...unset.map(({ long }) => `${long} is missing`),
  ]
}

/** The commands of a line that begin with a program: `sudo fisk status`, `cd x && node bin/fisk.js status`. */
export function callsOf(name: string, line: string): string[][] {
  return line.split(/&&|\||;/).flatMap((part) => {
    const words = wordsOf(part).filter((word) => !/^[A-Z_]+=/.test(word))
    const start = words[0] === 'sudo' ? 1 : 0
    if (words[start] === name) return [words.slice(start + 1)]
    return words[start] === 'node' && words[start + 1] === `bin/${name}.js` ? [words.slice(start + 2)] : []
  })
}
