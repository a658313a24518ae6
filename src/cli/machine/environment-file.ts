import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../../domain/attempt.ts'

export type Variables = Record<string, string>

/** The configuration of an installed fiskd, which systemd reads too. */
export function environmentFilePath(env: Record<string, string | undefined>): string {
  return env.FISKD_ENV_FILE || '/etc/fiskd/fiskd.env'
}

/** Quoted parts may follow each other; what begins without a quote goes on to the end of the line. */
const VALUE = /(?:[ \t]|'[^']*'|"(?:[^"\\]|\\.)*")*(?:(?:[^\s'"\\]|\\.)(?:[^\r\n\\]|\\.)*)?/s
const LINE = new RegExp(`^[ \\t]*(?:([A-Za-z_][A-Za-z0-9_]*)[ \\t]*=(${VALUE.source})$|[^\\r\\n]*$)`, 'gms')

/** The assignments of a file in the syntax of systemd.exec(5), EnvironmentFile=; lines that are none are passed over. */
function assignments(text: string) {
  return [...text.matchAll(LINE)].flatMap(({ 0: line, 1: name, 2: written, index }) =>
    name === undefined ? [] : [{ name, value: decoded(written ?? ''), start: index, end: index + line.length }],
  )
}

const PART = /[ \t]+|'([^']*)'|"((?:[^"\\]|\\.)*)"|(.+)/sy

function decoded(written: string): string {
  let value = ''
  for (PART.lastIndex = 0; PART.lastIndex < written.length; ) {
    const [, single, double, bare] = PART.exec(written) ?? []
    if (bare !== undefined) {
      const trimmed = bare.replace(/((?:[^\s\\]|\\.)?)[ \t]*$/s, '$1')
      return value + trimmed.replace(/\\(.)/gs, (_, letter: string) => (letter === '\n' ? '' : letter))
    }
    value += single ?? unescaped(double ?? '')
  }
  return value
}

/** Within double quotes a backslash stays where it protects nothing. */
function unescaped(quoted: string): string {
  return quoted.replace(/\\(.)/gs, (both, letter: string) =>
    letter === '\n' ? '' : '"\\`$'.includes(letter) ? letter : both,
  )
}

/** What the file sets; of a name that stands there twice, the last one counts. */
export function readVariables(text: string): Variables {
  return Object.fromEntries(assignments(text).map(({ name, value }) => [name, value]))
}

/** What the service is started with by a file: none of what a shell has set for fiskd. */
export function startedWith(env: Record<string, string | undefined>, text: string): Record<string, string | undefined> {
  const others = Object.entries(env).filter(([name]) => !/^(FISKD|RATE_LIMIT)_/.test(name))
  return { ...Object.fromEntries(others), ...readVariables(text) }
}

/** The line, from 1, on which the assignment of a variable that counts begins; null where the file has none. */
export function lineOfVariable(text: string, name: string): number | null {
  const found = assignments(text).findLast((one) => one.name === name)
  return found ? text.slice(0, found.start).split('\n').length : null
}

/** Those of a file; none when there is no such file or this account may not read it. */
export const variablesIn = (path: string): Variables => attempt(() => readVariables(readFileSync(path, 'utf8')), {})

/** Sets them where they stand, else in place of a line that comments one out (`#FISKD_LISTEN=…`), else at the end. */
export function withVariables(text: string, changes: Variables): string {
  return Object.entries(changes).reduce((so, [name, value]) => withVariable(so, name, `${name}=${quoted(value)}`), text)
}

function withVariable(text: string, name: string, line: string): string {
  const set = assignments(text).findLast((one) => one.name === name)
  const offered = set ? null : new RegExp(`^[ \\t]*[#;][ \\t]*${name}[ \\t]*=[^\\r\\n]*$`, 'm').exec(text)
  const [start, end] = set
    ? [set.start, set.end]
    : offered
      ? [offered.index, offered.index + offered[0].length]
      : [text.length, text.length]
  const before = text.slice(0, start)
  const apart = before === '' || before.endsWith('\n') ? '' : '\n'
  return `${before}${apart}${line}${text.slice(end) || '\n'}`
}

const quoted = (value: string): string =>
  /^[\w.,:/[\]@%+-]*$/.test(value) ? value : `"${value.replace(/["\\`$]/g, '\\$&')}"`

/** Either the old or the new one survives a power cut, with owner and mode of the old. @throws Error with its code */
export function replaceEnvironmentFile(path: string, text: string): void {
  const { uid, gid, mode } = statSync(path)
  const temporary = `${path}.${process.pid}.new`
  rmSync(temporary, { force: true })
  const fd = openSync(temporary, 'wx', 0o600)
  try {
    // It goes on after a short write, and says so when the disk is full.
    writeFileSync(fd, text)
    fchownSync(fd, uid, gid)
    fchmodSync(fd, mode & 0o7777)
    fsyncSync(fd)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
  syncDirectory(dirname(path))
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
