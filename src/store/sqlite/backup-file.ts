import { UnusableDatabase } from '../shared/damage.ts'
import { readOrigin, refuseForeign } from '../shared/database-origin.ts'
import { quickCheck } from './quick-check.ts'

/** @throws UnusableDatabase unless the file is an undamaged database of this or an older version of fiskd */
export async function requireOurDatabase(path: string): Promise<void> {
  const problems = await quickCheck(path).problems
  if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: true })
  const origin = readOrigin(path)
  if (origin.migrations.length === 0) throw new UnusableDatabase(['it is no database of fiskd'], { damaged: false })
  refuseForeign(origin)
}
