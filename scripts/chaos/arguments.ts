import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { openScratch, type Scratch } from './scratch.ts'

/** Wrong use: the text says what is wrong. */
export class UsageError extends Error {}

/** @throws UsageError */
export function parse<const T extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: T) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** @throws UsageError */
export function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} ${text}: give a whole number, 1 or more`)
  return Number(text)
}

/** The one that was asked for, or any. */
const seedOf = (text: string | undefined): number =>
  text === undefined ? Math.floor(Math.random() * 1e9) : count('seed', text)

/** @throws UsageError */
export function oneOf<const T extends string>(name: string, choices: readonly T[], text: string): T {
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw new UsageError(`--${name} ${text}: one of ${choices.join(', ')}`)
  return choice
}

/** What every rig takes. */
export const COMMON = {
  seed: { type: 'string' },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

export const COMMON_HELP = `  --seed         repeats the choices of an earlier run; processes and networks keep their own timing
  --dist         the built daemon; default dist
  --keep         leaves data directories and logs for a post-mortem
`

/** @throws UsageError */
export const common = ({ seed, dist, keep }: { seed?: string; dist?: string; keep: boolean }) => ({
  seed: seedOf(seed),
  dist: distOf(dist),
  keep,
})

/** Where the built daemon is. */
export const distOf = (text: string | undefined): string =>
  resolve(text ?? fileURLToPath(new URL('../../dist', import.meta.url)))

export const say = (text: string) => process.stdout.write(`${text}\n`)

interface BuiltOptions {
  dist: string
  /** Whether the folder is left for a post-mortem. */
  keep?: boolean
}

/** Runs what drives the built daemon to its exit code, with a folder of its own. @param read null is a wish for help */
export function runBuilt<T extends BuiltOptions>(
  help: string,
  read: (args: string[]) => T | null,
  run: (options: T, scratch: Scratch) => Promise<number>,
): Promise<never> {
  return runScript(help, async () => {
    const options = read(process.argv.slice(2))
    if (options === null) {
      say(help)
      return 0
    }
    const { dist, keep = false } = options
    if (!existsSync(join(dist, 'daemon/main.js'))) {
      throw new UsageError(`--dist ${dist}: no built daemon is there; run \`npm run build\` first`)
    }
    const scratch = openScratch(keep)
    try {
      return await run(options, scratch)
    } finally {
      scratch.close()
      if (keep) say(`kept: ${scratch.dir}`)
    }
  })
}

/** Runs a script to its exit code; wrong use ends with 2 and the help. */
export async function runScript(help: string, main: () => Promise<number>): Promise<never> {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n\n${help}`)
    process.exitCode = 2
  }
  // A machine's connections that are kept alive would hold the process.
  process.exit()
}
