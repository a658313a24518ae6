import crypto from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'

/**
 * Counts what a daemon asks of SQLite and of its keys. The driver is the one that the daemon loads, so it is looked for
 * from its program. @returns what was counted since the call before
 */
export function countCalls() {
  const counts = { statements: 0, compiled: 0, transactions: 0, signatures: 0, checks: 0 }
  const counted = (owner, names, count) => {
    for (const name of names) {
      const original = owner[name]
      owner[name] = function (...args) {
        counts[count]++
        return original.apply(this, args)
      }
    }
  }
  counted(crypto, ['sign', 'createSign'], 'signatures')
  counted(crypto, ['verify', 'createVerify'], 'checks')
  syncBuiltinESMExports()

  const Database = createRequire(process.argv[1])('better-sqlite3')
  const empty = new Database(':memory:')
  const statement = Object.getPrototypeOf(empty.prepare('SELECT 1'))
  for (const name of ['run', 'get', 'all', 'iterate']) {
    const original = statement[name]
    statement[name] = function (...args) {
      if (/^BEGIN/i.test(this.source)) counts.transactions++
      else if (!/^(COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/i.test(this.source)) counts.statements++
      return original.apply(this, args)
    }
  }
  empty.close()
  counted(Database.prototype, ['prepare', 'exec'], 'compiled')

  return () => {
    const taken = { ...counts }
    for (const name of Object.keys(counts)) counts[name] = 0
    return taken
  }
}
