import type { Rule } from './alert-watch.ts'

/** For so long a technician may still want to know why numbers are missing. */
const KEPT_MS = 30 * 86_400_000

/** What a memory card has lost is raised when the central server tells of it; nothing brings it back. */
export const lostRecordsRule: Rule = {
  kinds: ['records_lost'],
  look: async (now) => ({ found: [], isUnclear: ({ raisedAt }) => now - raisedAt < KEPT_MS }),
}
