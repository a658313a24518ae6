import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { scheduleRule } from '../../../src/fiscal/alerts/schedule-rule.ts'
import type { OfficeMail } from '../../../src/fiscal/ports/mail.ts'
import type { ClosingSchedule } from '../../../src/fiscal/ports/rows/closings.ts'
import { watched, watchOf } from '../../support/alerting.ts'

const HOURS = 60
const [RAISED, OVER] = ['+closings_not_mailed', '-closings_not_mailed']

/** An office with a schedule of each day since 4 March 2026, 10 in the morning in Zagreb. */
async function office() {
  const { store, time, at, news, ...it } = await watched()
  const schedule: ClosingSchedule = {
    ...{ id: randomUUID(), tenantId: 'default', unit: 'day', mode: 'live', companyId: null, language: 'hr' },
    ...{ recipient: 'knjige@example.hr', savedBy: 'ana', savedAt: 1, nextStarts: '2026-03-04', stopped: null },
  }
  await store.closingSchedules.insert(schedule)
  const pass = watchOf({ store, ...it }, [scheduleRule(store, () => time.now)])
  const look = async (minutes: number) => {
    at(minutes)
    await pass()
    return news()
  }
  const change = (changes: Partial<ClosingSchedule>) => store.closingSchedules.update(schedule.id, changes)
  const mailed = (changes: Partial<OfficeMail>) => {
    const id = randomUUID()
    const once = `schedule ${id}`
    const words = { subject: 's', text: 't', html: 'h', kind: 'closings', about: 'a', once, companyId: null }
    const mail: OfficeMail = {
      ...{ ...words, id, tenantId: 'default', requestedBy: schedule.id, recipient: schedule.recipient },
      ...{ createdAt: time.now, status: 'sent', attempts: 1, nextTryAt: time.now, sentAt: null, lastError: null },
    }
    return store.officeMails.insert({ ...mail, ...changes }, [])
  }
  const acknowledge = async () =>
    store.alerts.acknowledge((await store.alerts.open(null))[0]?.id ?? '', 'ana', time.now)
  const detail = async () => (await store.alerts.open(null))[0]?.detail
  return { look, change, mailed, acknowledge, detail }
}

test('a stopped schedule is told until it is saved again', async () => {
  const { look, change, detail } = await office()
  expect(await look(1)).toEqual([])
  await change({ stopped: 'not_allowed' })
  expect(await look(2)).toEqual([RAISED])
  expect(await detail()).toEqual({ recipient: 'knjige@example.hr', unit: 'day', reason: 'not_allowed' })
  await change({ stopped: null })
  expect(await look(3)).toEqual([OVER])
})

test('a mail that was given up is told until its period is sent again, or another address is set', async () => {
  const { look, change, mailed, detail } = await office()
  await mailed({ status: 'given_up', lastError: '550 no such user' })
  await mailed({ status: 'given_up', requestedBy: 'somebody else' })
  expect(await look(1)).toEqual([RAISED])
  expect(await detail()).toMatchObject({ reason: 'given_up', answer: '550 no such user' })
  // Later periods, what others send by a schedule, and what is of another company only change nothing.
  await mailed({ about: 'b' })
  await mailed({ requestedBy: 'another schedule', once: 'another schedule a' })
  await mailed({ requestedBy: 'boris', companyId: 'c' })
  await mailed({ requestedBy: 'boris', status: 'waiting' })
  expect(await look(2)).toEqual([])
  const id = randomUUID()
  await mailed({ id, once: id, requestedBy: 'boris' })
  expect(await look(2)).toEqual([OVER])
  await mailed({ status: 'given_up', about: 'c' })
  expect(await look(3)).toEqual([RAISED])
  await change({ recipient: 'nova@example.hr' })
  expect(await look(4)).toEqual([OVER])
})

test('who acknowledges that mails were given up hears of later ones only', async () => {
  const { look, mailed, acknowledge, detail } = await office()
  await mailed({ status: 'given_up', about: 'a', nextTryAt: Date.parse('2026-03-04T09:00:30Z') })
  expect(await look(1)).toEqual([RAISED])
  await acknowledge()
  expect(await look(2)).toEqual([OVER])
  expect(await look(3)).toEqual([])
  await mailed({ status: 'given_up', about: 'b', nextTryAt: Date.parse('2026-03-04T09:03:30Z') })
  expect(await look(4)).toEqual([RAISED])
  expect(await detail()).toMatchObject({ count: 1 })
  await mailed({ about: 'b' })
  expect(await look(5)).toEqual([OVER])
})

test('a mail that has waited for half a day is late', async () => {
  const { look, change, mailed, detail } = await office()
  await change({ nextStarts: '2026-03-06' })
  await mailed({ status: 'waiting' })
  expect(await look(11.9 * HOURS)).toEqual([])
  expect(await look(12 * HOURS)).toEqual([])
  expect(await look(12.3 * HOURS)).toEqual([RAISED])
  expect(await detail()).toMatchObject({ reason: 'overdue' })
  await mailed({})
  expect(await look(12.4 * HOURS)).toEqual([OVER])
})

test('a mail that is late by half a day is told, and an outage that has just ended is not', async () => {
  const { look, change, detail } = await office()
  // The day is over after 14 hours, and its mail is due three hours later.
  expect(await look(28 * HOURS)).toEqual([])
  expect(await look(29.1 * HOURS)).toEqual([])
  expect(await look(29.2 * HOURS)).toEqual([])
  expect(await look(29.4 * HOURS)).toEqual([RAISED])
  expect(await detail()).toMatchObject({ reason: 'overdue' })
  await change({ nextStarts: '2026-03-05' })
  expect(await look(29.5 * HOURS)).toEqual([OVER])
})
