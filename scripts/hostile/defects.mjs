// What `--sabotage` plants into a daemon: one defect for each thing that a run looks for.
import { subscribe } from 'node:diagnostics_channel'
import { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const kept = []
let sales = 0
let others = 0
const isSale = ({ method, url }) => method === 'POST' && url === '/v1/invoices'

function openDatabase() {
  const Database = createRequire(import.meta.url)('better-sqlite3')
  return new Database(join(process.env.FISKD_DATA_DIR, 'fiskd.db'), { timeout: 5000 })
}

let database
function isWithdrawn(id) {
  database ??= openDatabase()
  return database.prepare('SELECT 1 FROM receipt_withdrawals WHERE invoice_id = ?').get(id) !== undefined
}

/** What happens at the n-th request. */
const AT_REQUEST = {
  crash({ request }) {
    if (isSale(request) || ++others !== 400) return
    setImmediate(() => {
      throw new Error('planted')
    })
  },
  loop({ request }) {
    if (!isSale(request) || ++sales % 90 !== 0) return
    // By processor time, as it is judged: a busy machine gives a turn of so many seconds much less.
    const from = process.cpuUsage()
    for (let used = process.cpuUsage(from); used.user + used.system < 2_000_000; ) used = process.cpuUsage(from)
  },
  links({ request, response }) {
    if (!request.url.startsWith('/r/')) return
    const id = `inv_${Buffer.from(request.url.slice(3, 51), 'base64url').subarray(4, 20).toString('hex')}`
    if (isWithdrawn(id)) response.setHeader('allow', 'GET')
  },
  memory() {
    if (kept.length < 4000) kept.push(Buffer.alloc(64 * 1024, 1))
  },
  rows(_exchange, n) {
    if (n !== 100) return
    const database = openDatabase()
    database
      .prepare('UPDATE devices SET label = label || ? WHERE company_id = ?')
      .run('!', process.env.HOSTILE_BYSTANDER)
    database.close()
  },
  sales({ request, response }, n) {
    if (isSale(request) && n % 7 === 0) response.socket?.destroy()
  },
}

export function plant(defects) {
  let requests = 0
  subscribe('http.server.request.start', (exchange) => {
    requests++
    for (const defect of defects) AT_REQUEST[defect]?.(exchange, requests)
  })
  if (defects.includes('size')) {
    const { byteLength } = Buffer
    // Of a record, which its bound and the pages of lists go by.
    Buffer.byteLength = (text, ...rest) =>
      typeof text === 'string' && text.length > 32 * 1024 && text.includes('"fees":[') ? 0 : byteLength(text, ...rest)
  }
  if (!defects.includes('answer')) return
  const { writeHead } = ServerResponse.prototype
  let refusals = 0
  ServerResponse.prototype.writeHead = function (status, ...rest) {
    const spoils = status === 400 && ++refusals % 40 === 0
    return writeHead.call(this, spoils ? 418 : status, ...rest)
  }
}
