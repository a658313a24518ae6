import { existsSync, readFileSync } from 'node:fs'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** The version in package.json, which lies two folders up both from `src/daemon` and from `dist/daemon`. */
export const VERSION: string = read('../../package.json').version

/** When this program was built, epoch milliseconds; null when it runs from its sources. */
export const BUILT_AT: number | null = existsSync(new URL('../build.json', import.meta.url))
  ? Date.parse(read('../build.json').builtAt)
  : null
