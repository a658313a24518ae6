import { describe, expect, test } from 'vitest'
import type { Received } from '../../scripts/chaos/authority.ts'
import type { Stored } from '../../scripts/chaos/database.ts'
import { fencedWrites } from '../../scripts/chaos-sync/processes/fenced.ts'
import { needless } from '../../scripts/chaos-sync/processes/needless.ts'
import type { Trouble } from '../../scripts/chaos-sync/processes/trouble.ts'

const message = (messageId: string, arrivedAt: number, lateDelivery = false) =>
  ({ messageId, zki: 'zki-1', number: '1', premisesCode: 'POSL1', arrivedAt, lateDelivery }) as Received

describe('messages without need', () => {
  const INVOICES = [{ id: 'inv_1', zki: 'zki-1' } as Stored]
  const STORED_AT = new Map([['inv_1', 21_000]])
  const KILL: Trouble = { kind: 'kill', from: 1100, to: 3000 }
  const judge = (received: Received[], troubles: Trouble[]) => needless(received, INVOICES, STORED_AT, troubles)

  test('an invoice that is sent once was not sent without need', () => {
    expect(judge([message('a', 20_500)], [])).toEqual([])
  })

  test('a second message is needed when something kept the answer to the first from being stored', () => {
    expect(judge([message('a', 1000), message('b', 20_500, true)], [KILL])).toEqual([])
  })

  test('a second message is not needed when nothing was in the way', () => {
    expect(judge([message('a', 1000), message('b', 20_500, true)], [])).toEqual([
      '1/POSL1 was sent once more though nothing was in the way of an answer before',
    ])
  })

  test('a second message that says it is the first is never needed', () => {
    expect(judge([message('a', 1000), message('b', 20_500)], [KILL])).toEqual([
      '1/POSL1 was sent 2 times as if it were the first time',
    ])
  })

  test('a message after the JIR was stored is never needed', () => {
    const later: Trouble = { kind: 'stop', from: 20_600, to: 22_000 }
    expect(judge([message('a', 20_500), message('b', 21_500, true)], [later])).toEqual([
      '1/POSL1 was sent 1 times after its JIR was stored',
    ])
  })
})

describe('a process that was frozen', () => {
  const FREEZE: Trouble = { kind: 'freeze', from: 10_000, to: 40_000, who: 'server_1' }
  const RECEIVED = [message('a', 9900), message('b', 21_000, true), message('c', 41_000)]
  const taken = { messageId: 'b', invoiceId: 'inv_1', who: 'server_2', at: 21_500 }

  test('may sell on after it woke up', () => {
    const own = { messageId: 'c', invoiceId: 'inv_2', who: 'server_1', at: 41_500 }
    expect(fencedWrites([taken, own], RECEIVED, [FREEZE])).toEqual({ onItsWay: 1, problems: [] })
  })

  test('may store nothing of what it had on its way', () => {
    const stale = { messageId: 'a', invoiceId: 'inv_1', who: 'server_1', at: 40_100 }
    expect(fencedWrites([taken, stale], RECEIVED, [FREEZE])).toEqual({
      onItsWay: 1,
      problems: ['server_1 woke up and stored an outcome of inv_1 from before'],
    })
  })
})
