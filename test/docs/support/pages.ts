import { readFileSync } from 'node:fs'
import { inProject } from '../../support/stand-in.ts'
import { callsOf, problemsWith } from './fisk-lines.ts'

/**
 * Why no test of pages runs a command; `<!-- hours -->` stands in front of its block or its backticks. Those of a `container` take
 * an engine.
 */
export const REASONS = ['container', 'hand', 'hours', 'internet'] as const

/** A command that a page tells its reader to type. */
export interface Printed {
  /** As it is printed, with its quotes and its continued lines. */
  text: string
  /** On one line, without the comment behind it: what a table names it by. */
  line: string
  mark: string | undefined
  /** The JSON that the page prints below it. */
  answer: string | undefined
  isSpan: boolean
}

/** A block, or a span of code in the prose, and the mark in front of it. */
const CODE =
  /(?:<!-- (.*?) -->\s*)?(?:^```sh\n([\s\S]*?)^```$(?:\s*^```json\n([\s\S]*?)^```$)?|^```\w*\n[\s\S]*?^```$|`((?:[^`\n]|\n(?!\n))+)`)/gm

const PROGRAMS = /^(?:sudo |[A-Z_]+=\S+ )*(?:apt|apt-mark|curl|dpkg|fisk|fiskd|node|npm|npx|man|systemctl|usermod)( |$)/

export function readPage(path: string): { printed: Printed[]; strangeMarks: string[] } {
  return readText(readFileSync(inProject(path), 'utf8'))
}

export function readText(text: string): { printed: Printed[]; strangeMarks: string[] } {
  const printed = [...text.matchAll(CODE)].flatMap(([, mark, block, answer, span]) => {
    if (block !== undefined) {
      return commandsOf(block).map((one, at, all) => ({
        ...one,
        mark,
        answer: at === all.length - 1 ? answer : undefined,
        isSpan: false,
      }))
    }
    const line = span?.replaceAll(/\s+/g, ' ') ?? ''
    return isCommand(line) ? [{ text: line, line, mark, answer: undefined, isSpan: true }] : []
  })
  const marks = [...text.matchAll(/<!-- (.*?) -->/g)].map(([, mark]) => String(mark))
  const used = printed.flatMap(({ mark }) => mark ?? [])
  return {
    printed,
    strangeMarks: marks.filter((mark) => !REASONS.some((reason) => reason === mark) || !used.includes(mark)),
  }
}

/** `fisk key create` without what it needs is a mention, which test/docs/commands.test.ts looks at. */
function isCommand(span: string): boolean {
  if (!PROGRAMS.test(span) || !/ /.test(span.replace('sudo ', ''))) return false
  return callsOf('fisk', span).every((words) => problemsWith(words, true).length === 0)
}

function commandsOf(block: string): { text: string; line: string }[] {
  const commands = block.match(/(?:.*\\\n)*.*\n/g) ?? []
  return commands.map((text) => ({ text: text.trimEnd(), line: lineOf(text) })).filter(({ line }) => line !== '')
}

const lineOf = (text: string) =>
  text
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .replace(/(^|\s)#.*$/m, '')
    .trim()

/**
 * Whether a script types a command: but for `sudo`, options that answer apt's questions, and folders of the package. Each
 * command between `&&` counts.
 */
export function isTyped(command: string, script: string): boolean {
  const plain = (text: string) =>
    text
      .replaceAll(/\bapt-get\b/g, 'apt')
      .replaceAll(/ (?:-y|-q|--no-install-recommends|--allow-downgrades)\b/g, '')
      .replaceAll(/\S*\bfiskd\S*\.deb\b/g, 'fiskd.deb')
  // To its end: `apt install fiskd` is not the beginning of another command.
  const isIn = (one: string) =>
    plain(script)
      .split(one)
      .slice(1)
      .some((rest) => !/^[\w.=-]/.test(rest))
  return command.split('&&').every((one) => isIn(plain(one.replace(/^\s*sudo /, '').trim())))
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** What a JSON text has, and how its values look: all numbers are alike, and so are all ids. */
export function shapeOf(json: string): Record<string, string> {
  const look = (value: unknown) =>
    String(JSON.stringify(value))
      .replaceAll(UUID, '0')
      .replaceAll(/[0-9a-z]*\d[0-9a-z]*/g, '0')
  return Object.fromEntries(Object.entries(JSON.parse(json)).map(([key, value]) => [key, look(value)]))
}
