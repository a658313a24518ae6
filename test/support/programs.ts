import { join } from 'node:path'
import { inject } from 'vitest'

/**
 * The programs in one file each, made from the sources at the beginning of a run: Node reads that in a tenth of the time
 * that it takes for a thousand files of TypeScript.
 */
const programs = inject('programs')

/** What `npm run build` makes. */
export const DIST = join(programs, 'dist')
export const FISKD = join(DIST, 'daemon/main.js')
export const FISK = join(DIST, 'cli/main.js')
export const SIMULATOR = join(programs, 'simulator/main.js')
export const VIRTUAL_PRINTER = join(programs, 'simulator/printer/main.js')

/** Has our schema in it: copied, it is a database at once. */
export const EMPTY_DATABASE = join(programs, 'empty.db')
