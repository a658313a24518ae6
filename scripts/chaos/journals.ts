import { checkJournals } from '../../src/fiscal/sales/journal-check.ts'
import { openStore } from '../../src/store/store.ts'

/**
 * What is wrong with the journals and numbers of a database that nobody writes to.
 * @param location a file, or an address of PostgreSQL
 */
export async function judgeJournals(location: string): Promise<{ entries: number; problems: string[] }> {
  const store = await openStore(location, Date.now())
  try {
    const { entries, broken, wrongNumbers, passedOver } = await checkJournals(store)
    const problems = [
      ...broken.map(({ journal, position, why }) => `${journal.premisesCode}, position ${position}: ${why}`),
      ...wrongNumbers.map(({ sequence, why }) => `${sequence.premisesCode}: ${why}`),
      ...passedOver.map(
        ({ sequence, numbers }) => `${sequence.premisesCode}: ${numbers.length} ranges were passed over`,
      ),
    ]
    return { entries, problems }
  } finally {
    await store.close()
  }
}
