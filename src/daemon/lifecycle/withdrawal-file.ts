import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt } from '../../domain/attempt.ts'
import type { Withdrawal, WithdrawalFile } from '../../fiscal/ports/receipt-links.ts'
import { writeFileAtomic } from './atomic-file.ts'

/** Beside the database, and in no backup: a restored backup does not know which links were withdrawn after it. */
const WITHDRAWALS = 'receipt-withdrawals.json'

export function withdrawalFile(dataDir: string): WithdrawalFile {
  const path = join(dataDir, WITHDRAWALS)
  return {
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (text === null) return null
      const known = parsed(text)
      if (!known) throw new Error(`${path} is damaged: no receipt is shown until it is mended, or removed`)
      return known
    },
    write: (withdrawals) => writeFileAtomic(path, `${JSON.stringify(withdrawals, null, 1)}\n`, 0o640),
  }
}

function parsed(text: string): Withdrawal[] | undefined {
  const found: unknown = attempt(() => JSON.parse(text), undefined)
  return Array.isArray(found) && found.every(isWithdrawal) ? found : undefined
}

function isWithdrawal(value: unknown): value is Withdrawal {
  const isText = (one: unknown) => typeof one === 'string'
  const { id, invoiceId, companyId, soldBefore, at, withdrawnBy } = Object(value)
  const isTextOrNull = (one: unknown) => one === null || isText(one)
  const areMoments = Number.isSafeInteger(soldBefore) && Number.isSafeInteger(at)
  return isText(id) && isTextOrNull(invoiceId) && isTextOrNull(companyId) && areMoments && isText(withdrawnBy)
}
