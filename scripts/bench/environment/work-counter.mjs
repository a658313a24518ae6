// Loaded before the daemon under measurement: counts what it asks of SQLite and of its keys, and answers each line on the socket
// that BENCH_COUNTS names with what was counted since the line before it.
import crypto from 'node:crypto'
import { rmSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** The driver is the one that the daemon loads, so it is looked for from its program. @returns what was counted since the call before */
function countCalls() {
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

const take = countCalls()
const server = createServer((socket) => {
  createInterface({ input: socket }).on('line', () => socket.end(JSON.stringify(take())))
})
// Of the life before.
rmSync(process.env.BENCH_COUNTS, { force: true })
server.listen(process.env.BENCH_COUNTS)
server.unref()
