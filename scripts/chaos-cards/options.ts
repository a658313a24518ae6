import { distOf, parse, seedOf, UsageError } from '../chaos/arguments.ts'
import { CASES, type CardCase, SHORT } from './cases.ts'

export const HELP = `npm run chaos:cards -- [--case NAME] [--seed N] [--short]

Machines sell on a memory card that is bad in a way of its own: a disk of ours with a real file system of this host's kernel on it
(root, FUSE; Debian packages qemu-utils and qemu-system-common). Prints what callers, fisk status and fisk doctor were told, and
what was true. Exit 0 when no promise was broken.
  --case   one of ${CASES.map(({ name }) => name).join(', ')}
  --short  ${SHORT.join(' and ')}: within a minute
  --seed   repeats the choices of an earlier run
  --dist   the built daemon; default dist
  --keep   leaves the images and logs
`

export interface CardOptions {
  cases: readonly CardCase[]
  seed: number
  dist: string
  keep: boolean
}

const OPTIONS = {
  case: { type: 'string' },
  short: { type: 'boolean', default: false },
  seed: { type: 'string' },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): CardOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const isMeant = ({ name }: CardCase) =>
    values.case === undefined ? !values.short || SHORT.includes(name) : name === values.case
  const cases = CASES.filter(isMeant)
  if (cases.length === 0) throw new UsageError(`--case ${values.case}: there is no such case`)
  return { cases, seed: seedOf(values.seed), dist: distOf(values.dist), keep: values.keep }
}
