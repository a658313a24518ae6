import type { PageContext } from '../page-routes.ts'
import { type JobTexts, texts } from './texts.ts'

interface Choosable {
  works: readonly (keyof JobTexts['works'])[]
  /** The query of the address of the list, without page and order. */
  filter: string
  /** How many rows match, or at least so many; null where all cannot be chosen. */
  matching: { count: number; isAll: boolean } | null
}

const DANGERS: readonly string[] = ['suspended', 'archived']

/** What can be done with the chosen rows of a list, and with all that match. */
export function choiceOf({ language, f }: PageContext, { works, filter, matching }: Choosable) {
  const t = texts[language]
  const all = matching && (matching.isAll ? t.allMatching : t.allMatchingMore)(f.count(matching.count))
  return { t, works, filter, all, dangers: DANGERS }
}
