import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { MESSAGE_ARCHIVE } from '../../../src/domain/sale/message-reading-limits.ts'
import { unreadable } from '../../../src/sync/server/archived-messages.ts'
import { fleet, record } from '../../support/sync-rows.ts'

const { company, invoice, message } = fleet()
const sold = invoice(1)
const archived = (requestXml: Buffer | null, responseXml: Buffer | null = gzipSync('<b/>')) =>
  record('message', message(sold.id, { requestXml, responseXml }))
const readable = [
  ...[
    archived(gzipSync('<a>č</a>')),
    archived(gzipSync(''), null),
    archived(gzipSync('x'.repeat(MESSAGE_ARCHIVE.textBytes))),
  ],
  ...[archived(null, null), record('company', company), record('invoice', sold)],
]

test.each([
  ['that is no gzip', Buffer.from('<b/>')],
  ['that says less than it is', Buffer.from('<b attribute="of more than twenty bytes"/>')],
  ['that is cut off', gzipSync('<b/>').subarray(0, 15)],
  ['of nothing', Buffer.alloc(0)],
  ['that is no text', gzipSync(Buffer.from([0xff, 0xfe]))],
  ['that begins in the middle of a letter', gzipSync(Buffer.from('č').subarray(1))],
  ['that unpacks to megabytes', gzipSync(Buffer.alloc(2e6, 97))],
  ['that hides how long it is', Buffer.concat([gzipSync(Buffer.alloc(2e6, 97)).subarray(0, -4), Buffer.alloc(4)])],
])('XML %s is found among what is readable', async (_what, zipped) => {
  const [first, second] = [archived(zipped), archived(null, zipped)]
  expect(await unreadable([...readable, first, ...readable, second, ...readable])).toEqual(new Set([first, second]))
})

test('of what is readable nothing is refused, however much it is', async () => {
  expect(await unreadable(Array(12).fill(readable).flat())).toEqual(new Set())
  expect(await unreadable([])).toEqual(new Set())
})
