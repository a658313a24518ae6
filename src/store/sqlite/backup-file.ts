import { UnusableDatabase } from '../shared/damage.ts'
import { readOrigin, refuseForeign } from '../shared/database-origin.ts'
import { quickCheck } from './quick-check.ts'

/**
 * Tells whether a file is a whole database of this fiskd or of an older one.
 * @throws UnusableDatabase that says what else it is
 */
export async function requireOurDatabase(path: string): Promise<void> {
  const problems = await quickCheck(path).problems
  if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: true })
  const origin = readOrigin(path)
  if (origin.migrations.length === 0) throw new UnusableDatabase(['it is no database of fiskd'], { damaged: false })
  refuseForeign(origin)
}
