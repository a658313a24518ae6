import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fillWith, storeGateways } from '../../scripts/bench/fill-fleet.ts'
import { type BenchGateway, exchange, fleetOf, machinesOf, type Sale, saleOf } from '../../scripts/bench/fleet-rows.ts'
import { clockTime, dateAt, isoDate, startOfDay } from '../../src/domain/calendar-date.ts'
import { openBrowser } from '../support/browser.ts'
import { HEARTBEAT } from '../support/commands.ts'
import { eventually } from '../support/eventually.ts'
import { startEmptyGateway } from '../support/gateway.ts'
import { keyboard, mouse } from '../support/hands.ts'
import { startMailServer } from '../support/mail-server.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'
import { signInAs, wordsIn } from '../support/walker.ts'

const [GATEWAYS, EACH] = [12, 42]
const MINUTE_MS = 60_000
const t = wordsIn('hr').invoices

describe.skipIf(skipWithout('chromium'))('an operator of 504 machines', () => {
  test.each([
    ['clicks', mouse],
    ['presses of Enter, with the keyboard alone', keyboard],
  ])('answers the questions of a morning and acts on many machines, in a few %s each', async (_name, handsOf) => {
    const mail = await startMailServer()
    const { dir, sought, lacking, best } = await storedFleet()
    const server = await startEmptyGateway({
      ...{ FISKD_ROLE: 'server', FISKD_DATA_DIR: dir, FISKD_SMTP_URL: mail.url, FISKD_ALERT_FROM: 'fiskd@example.hr' },
      FISKD_SWEEP_INTERVAL_S: '86400',
    })
    const browser = await openBrowser(server, onTestFinished)
    const { page } = await browser.visitor({ language: 'hr' })
    await signInAs(server, page, 'hr')
    const main = page.locator('main')
    const read = async () => (await main.innerText()).replace(/\s+/g, ' ')

    const hands = handsOf(page)
    let clicks = 0
    const press = async (target: Locator) => {
      clicks++
      await hands.press(target)
    }
    /** What it leads to has been loaded then. */
    const follow = (target: Locator) => Promise.all([page.waitForEvent('load'), press(target)])
    const link = (name: RegExp) => page.getByRole('link', { name })
    const button = (name: RegExp) => main.getByRole('button', { name })
    /** @param least what it takes */
    const counted = async (job: string, least: number, walk: () => Promise<void>) => {
      await page.goto('/dashboard')
      clicks = 0
      await walk()
      expect(clicks, job).toBe(least)
    }

    await counted('see which machines do not earn, and why', 1, async () => {
      await follow(main.getByRole('link', { name: /ne zarađuje/ }))
      const shown = await read()
      expect(shown).toContain(`bez ispravnog ISU broja: ${lacking.length}`)
      expect(shown).toContain(lacking[0]?.device.label)
    })

    await counted('send again all invoices that were refused for one cause', 3, async () => {
      await follow(link(/^Računi odbijeni/))
      await follow(button(/^Pošalji sve ponovno \(30\)/))
      expect(await read()).toContain('Ponovno poslati 30 računa Poreznoj upravi?')
      await follow(button(/^Započni/))
      expect(await read()).toMatch(/\d+ od 30/)
    })

    await counted('give 40 ISU numbers of a file to machines of 12 gateways', 5, async () => {
      const rows = [
        ...lacking.slice(0, 37).map(({ device }, i) => `"${device.label}",${9000 + i}`),
        ...['Nepoznat uređaj,9100', `"${lacking[37]?.device.label}",09`, `"${lacking[38]?.device.label}",1`],
      ]
      await follow(link(/^Uređaji bez ispravnog ISU broja/))
      await follow(link(/^Upis ISU brojeva/))
      await follow(link(/^Upiši ISU brojeve iz datoteke/))
      const buffer = Buffer.from(['label,isu_number', ...rows].join('\n'))
      await main.locator('input[type=file]').setInputFiles({ name: 'isu.csv', mimeType: 'text/csv', buffer })
      await follow(button(/^Provjeri/))
      for (const wrong of ['Nepoznat uređaj', ...lacking.slice(37, 39).map(({ device }) => device.label)]) {
        expect(await read()).toContain(wrong)
      }
      await follow(button(/^Upiši 37/))
      expect(await read()).toMatch(/\d+ od 37/)
    })

    await counted('close yesterday and mail it', 4, async () => {
      await follow(link(/^Zaključci prometa/))
      await press(button(/^Zaključi/))
      await follow(page.getByRole('dialog').getByRole('button', { name: /^Zaključi/ }))
      await hands.write(main.getByLabel(/adres/i), 'knjige@example.hr')
      await follow(button(/^Pošalji/))
      await eventually(() => expect(mail.mails).toHaveLength(1))
      expect(mail.mails[0]?.attachments.map(({ filename }) => filename)).toEqual([expect.stringMatching(/\.csv$/)])
    })

    await counted('send a customer a copy that was found by amount and time', 5, async () => {
      await follow(link(/^Računi$/))
      await hands.write(main.getByLabel(t.searchHint), '7,30')
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
      await press(main.locator('summary', { hasText: t.period }))
      await hands.write(main.getByLabel(t.from), isoDate(dateAt(sought.at)))
      await hands.write(main.getByLabel(t.fromTime), clockTime(sought.at - 60 * MINUTE_MS).slice(0, 5))
      await hands.write(main.getByLabel(t.to), isoDate(dateAt(sought.at)))
      await hands.write(main.getByLabel(t.toTime), clockTime(sought.at + 60 * MINUTE_MS).slice(0, 5))
      await follow(button(/^Filtriraj/))
      await follow(link(new RegExp(`^${sought.number}$`)))
      await hands.write(main.getByLabel(/adres/i), 'kupac@example.hr')
      await follow(button(/^Pošalji/))
      await eventually(() => expect(mail.mails).toHaveLength(2))
      expect(mail.mails[1]?.attachments.map(({ contentType }) => contentType)).toEqual(['application/pdf'])
    })

    await counted('see the revenue of last month by machine', 2, async () => {
      await follow(link(/^Uređaji$/))
      await follow(link(/^Prošli mjesec/))
      expect(await main.locator('tbody tr').first().innerText()).toContain(best.device.label)
    })
    expect(browser.faults).toEqual([])
  })
})

/** Gateways that are connected, with sales of last month, yesterday and today. */
async function storedFleet() {
  const dir = await tempDir()
  const place = join(dir, 'fiskd.db')
  const gateways = fleetOf(GATEWAYS)
  const now = Date.now()
  for (const { record } of gateways) {
    Object.assign(record, { lastSeenAt: now + 86_400_000, reportedAt: now, heartbeat: HEARTBEAT })
  }
  const machines = machinesOf(gateways, EACH)
  // Four of each gateway wait for their numbers.
  const lacking = machines.filter((_, i) => i % EACH >= EACH - 4)
  for (const { device } of lacking) Object.assign(device, { isuNumber: null, isuStatus: 'pending' })
  await storeGateways(place, machines)
  const today = startOfDay(dateAt(now))
  const lastMonth = startOfDay({ ...dateAt(now), month: dateAt(now).month - 1, date: 10 })
  const idle = machines.filter((_, i) => i % 70 === 35)
  const said = exchange()
  const all: Sale[] = []
  const sell = (gateway: BenchGateway, at: number, total = '2.50') => {
    const [invoice, message] = saleOf(gateway, said, at)
    Object.assign(invoice.row.document, { total })
    all.push({ gateway, invoice, message })
    return invoice.row
  }
  for (const [i, machine] of machines.entries()) {
    sell(machine, lastMonth + i * 1000, `${i}.00`)
    const yesterday = sell(machine, today - 12 * 3_600_000 + i * 1000)
    if (i < 35) {
      const [errorCode, errorMessage] = i < 30 ? ['upstream_rejected', 's001'] : ['hr.certificate_oib_mismatch', 's005']
      const refused = { status: 'failed' as const, jir: null, confirmedAt: null, lastErrorClass: 'validation' as const }
      Object.assign(yesterday, { ...refused, errorCode, errorMessage })
    }
    if (!idle.includes(machine)) sell(machine, Math.max(today, now - 30 * MINUTE_MS) + i)
  }
  const paid = sell(machines[100] as BenchGateway, today - 5 * 3_600_000, '7.30')
  const { number, premisesCode, registerMark } = paid.document
  await fillWith(place, machines, all)
  return {
    dir,
    lacking,
    best: machines.at(-1) as BenchGateway,
    sought: { at: paid.occurredAt, number: `${number}/${premisesCode}/${registerMark}` },
  }
}
