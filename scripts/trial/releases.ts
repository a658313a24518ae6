import { type Change, MIGRATIONS } from '../chaos/change-build.ts'
import { manifestOf } from '../package/modules.ts'
import { variantOf } from './variants.ts'

const MIGRATION = migration('await db.schema.createTable("trial").addColumn("id", "integer").execute()')
const BROKEN_MIGRATION = migration('throw new Error("this migration fails")')
const NO_START: Change = [
  /const\s+daemon\s*=\s*await\s+startDaemon\(\s*config\s*,\s*log\s*\)\s*;/g,
  '$& process.exit(3);',
]

/** One more, behind all others. */
function migration(up: string): Change {
  return [MIGRATIONS, `$1, "999-trial": { async up(db) { ${up}; } } }`]
}

/** Later releases of the package that is tried, oldest first, and what is changed in each. */
const RELEASES = {
  next: [],
  refused: [BROKEN_MIGRATION],
  repaired: [],
  current: [],
  unmigrated: [BROKEN_MIGRATION],
  unstarted: [MIGRATION, NO_START],
  migrated: [MIGRATION],
} satisfies Record<string, Change[]>

export type ReleaseName = keyof typeof RELEASES

/** Above every version of the same major one. */
export function version(name: ReleaseName): string {
  return `${Number.parseInt(manifestOf('.').version, 10) + 1}.0.${Object.keys(RELEASES).indexOf(name) + 1}`
}

/** @returns its package, which is made when it is first asked for */
export const release = ({ deb, scratch }: { deb: string; scratch: string }, name: ReleaseName): string =>
  variantOf(deb, version(name), RELEASES[name], scratch)
