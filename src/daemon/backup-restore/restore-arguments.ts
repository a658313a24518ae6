import { resolve } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { parseStatedNumber } from '../../fiscal/numbering/stated-number.ts'
import type { NumbersOrder } from './reserve-numbers.ts'
import type { OpenBackup } from './restore-copy.ts'

export class WrongUse extends Error {}

export interface RestoreOrder extends NumbersOrder {
  /** Null: the database of the configuration was restored from a dump already. */
  file: string | null
  /** The file as the caller has opened it; null: it is opened here. */
  opened: OpenBackup | null
  /** The dump was made after every fiskd had stopped: it lacks nothing. */
  moved: boolean
  /** Links to receipts go on, although nobody knows any more which ones were withdrawn. */
  keepLinks: boolean
}

const OPTIONS = {
  highest: { type: 'string', multiple: true },
  gap: { type: 'string' },
  'forget-keys': { type: 'boolean' },
  'ask-server': { type: 'boolean' },
  'keep-links': { type: 'boolean' },
  moved: { type: 'boolean' },
  descriptors: { type: 'string' },
} as const

const FORM = 'PREMISES@YEAR=NUMBER, or OIB/PREMISES@YEAR=NUMBER, or OIB/PREMISES/REGISTER@YEAR=NUMBER'

/** Reads what follows `fiskd --restore`. @throws WrongUse */
export function readRestoreOrder(args: readonly string[]): RestoreOrder {
  const { values, positionals } = parsed(args, OPTIONS)
  const [file, ...more] = positionals
  if (more.length > 0) throw new WrongUse('name one file to restore')
  const stated = (values.highest ?? []).map((text) => {
    const number = parseStatedNumber(text)
    if (!number) throw new WrongUse(`--highest ${text}: write it as ${FORM}`)
    return number
  })
  const { gap, descriptors } = values
  if (gap !== undefined && !/^[1-9]\d{0,8}$/.test(gap)) throw new WrongUse(`--gap ${gap}: give a count from 1`)
  const moved = values.moved ?? false
  if (moved && (file !== undefined || gap !== undefined || stated.length > 0 || values['ask-server']))
    throw new WrongUse(
      '--moved: a database that was moved lacks no numbers: give no file, --highest, --gap or --ask-server',
    )
  const [, opened, log] = /^(\d{1,4})(?:,(\d{1,4}))?$/.exec(descriptors ?? '') ?? []
  if (descriptors !== undefined && opened === undefined)
    throw new WrongUse(`--descriptors ${descriptors}: give N or N,N`)
  return {
    file: file === undefined ? null : resolve(file),
    opened: opened === undefined ? null : { file: Number(opened), log: log === undefined ? null : Number(log) },
    stated,
    gap: moved ? 0n : gap === undefined ? null : BigInt(gap),
    moved,
    forgetKeys: values['forget-keys'] ?? false,
    askServer: values['ask-server'] ?? false,
    keepLinks: moved || (values['keep-links'] ?? false),
  }
}

/** @param usage below what is wrong @throws WrongUse */
export function parsed<Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options, usage = '') {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}${usage}`)
  }
}
