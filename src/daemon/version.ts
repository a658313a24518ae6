import { existsSync, readFileSync, statSync } from 'node:fs'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** The version in package.json, which lies two folders up both from `src/daemon` and from `dist/daemon`. */
export const VERSION: string = read('../../package.json').version

/** When this program was built, epoch milliseconds; null when it runs from its sources. */
export const BUILT_AT: number | null = existsSync(new URL('../build.json', import.meta.url))
  ? Date.parse(read('../build.json').builtAt)
  : null

/** Whatever the clock says, it is later than this: the build, or when the sources were laid down. */
export const CERTAINLY_PAST = BUILT_AT ?? statSync(new URL('../../package.json', import.meta.url)).mtimeMs
