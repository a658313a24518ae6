import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { pki } from '../../support/pki.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'
import { type DisturbedFront, startDisturbedFront } from './disturbed-front.ts'
import { type Firmware, startFirmware } from './firmware.ts'
import { buildSample, canRun, type SampleName, type Surroundings } from './samples.ts'

/** What every sample must do; a file of tests for each, so that they run beside one another. */
export function testSample(name: SampleName): void {
  describe.skipIf(!canRun(name))('as firmware', () => {
    let gateway: Gateway
    let front: DisturbedFront
    let around: Surroundings & { FISKD_STATE: string }
    let dir: string
    let command: string[]
    beforeAll(async () => {
      gateway = await startSharedGateway()
      front = await startDisturbedFront(gateway, atTheEndOfFile)
      dir = await makeTempDir(atTheEndOfFile)
      around = {
        FISKD_URL: front.url,
        FISKD_CA: join(gateway.dataDir, 'tls', 'ca.pem'),
        FISKD_KEY: gateway.key,
        FISKD_DEVICE: gateway.deviceId,
        FISKD_STATE: await mkdtemp(join(dir, 'state-')),
      }
      command = await buildSample(name, join(dir, 'sample'), around)
    })

    const start = (env: Record<string, string> = {}, how = command): Firmware =>
      startFirmware(how, { ...around, ...env }, onTestFinished)
    const numbers = () => gateway.cis.received.map(({ number }) => number)
    const stored = () => readdirSync(around.FISKD_STATE)

    test('sells, shows the code of the receipt, gives the goods, and keeps the picture of the receipt', async () => {
      const before = numbers().length
      const picture = join(dir, 'receipt.png')
      const firmware = start({ FISKD_RECEIPT: picture })
      firmware.press('sell one 2.50 G Kava s "mlijekom"')
      await firmware.until('goods one')
      firmware.press('sell two 1.20 K')
      expect(await firmware.end()).toBe(0)
      expect(numbers()).toHaveLength(before + 2)

      const { body } = await gateway.v1('/invoices?limit=2')
      const sold = (body as unknown as { data: { qr_payload: string; total: string }[] }).data
      const [first, second] = ['2.50', '1.20'].map((total) => sold.find((one) => one.total === total)?.qr_payload)
      expect(firmware.said).toEqual([`screen one ${first}`, 'goods one', `screen two ${second}`, 'goods two'])
      expect(JSON.parse(front.posted.at(-2)?.body ?? '').items).toEqual([
        { name: 'Kava s "mlijekom"', quantity: '1', unit_price: '2.50', amount: '2.50' },
      ])
      expect(JSON.parse(front.posted.at(-1)?.body ?? '')).not.toHaveProperty('items')
      expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG')
      expect(stored()).toEqual([])
    })

    test('sends the same bytes with the same key until there is an answer, and waits as long as it is told', async () => {
      const [before, sent] = [numbers().length, front.posted.length]
      front.disturb('lose', { status: 503, headers: { 'retry-after': '3' }, body: '<html>' }, 'cut')
      front.disturb({ status: 429, headers: { 'retry-after': '1' }, body: '{"error":{}}' })
      const firmware = start()
      firmware.press('sell three 3.10 G')
      await firmware.until('goods three')
      expect(await firmware.end()).toBe(0)

      const posted = front.posted.slice(sent)
      expect(posted).toHaveLength(5)
      expect(new Set(posted.map(({ key, body }) => `${key} ${body}`)).size).toBe(1)
      expect(posted[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
      const waits = posted.slice(1).map(({ at }, i) => (at - (posted[i]?.at ?? 0)) / 1000)
      for (const [i, least] of [1, 3, 2, 1].entries()) expect(waits[i]).toBeGreaterThan(least - 0.1)
      expect(numbers()).toHaveLength(before + 1)
      expect(firmware.said.filter((line) => line === 'goods three')).toHaveLength(1)
    })

    test('gives the money back for a sale that is refused, sends it never again, and sells the next one', async () => {
      const sent = front.posted.length
      const firmware = start()
      firmware.press('sell four 10000.01 G')
      await firmware.until('refused four')
      expect(firmware.log()).toContain('hr.amount_out_of_range')
      firmware.press('sell five 1.00 G')
      await firmware.until('goods five')
      expect(await firmware.end()).toBe(0)
      expect(front.posted).toHaveLength(sent + 2)
      expect(stored()).toEqual([])
    })

    test('finishes after a power cut what it had begun, with the same key and the same bytes', async () => {
      const [before, sent] = [numbers().length, front.posted.length]
      front.disturb('silent')
      const killed = start()
      killed.press('sell six 4.40 G')
      await eventually(() => expect(front.posted).toHaveLength(sent + 1))
      await killed.kill()
      expect(killed.said).toEqual([])

      const firmware = start()
      expect(await firmware.end()).toBe(0)
      expect(firmware.said).toEqual([expect.stringMatching(/^screen six https:/), 'goods six'])
      const [first, second] = front.posted.slice(sent)
      expect([second?.key, second?.body]).toEqual([first?.key, first?.body])
      expect(numbers()).toHaveLength(before + 1)
    })

    test('gives out nothing again after a power cut that followed the goods', async () => {
      const killed = start()
      killed.press('sell seven 0.80 G')
      await killed.until('goods seven')
      const sent = front.posted.length
      await killed.kill()
      const firmware = start()
      expect(await firmware.end()).toBe(0)
      expect(firmware.said).toEqual([])
      expect(front.posted).toHaveLength(sent)
    })

    test('tells nothing to a gateway whose certificate another authority has signed', async () => {
      const sent = front.posted.length
      const stranger = join(dir, 'another-ca.pem')
      await writeFile(stranger, pki.bundlePem)
      const firmware = start({ FISKD_CA: stranger, FISKD_STATE: await mkdtemp(join(dir, 'state-')) })
      firmware.press('sell eight 0.80 G')
      await eventually(() => expect(firmware.log()).toMatch(/again in 2 s/))
      await firmware.kill()
      expect(firmware.said).toEqual([])
      expect(front.posted).toHaveLength(sent)
    })

    const withFaketime = test.skipIf(skipWithout('faketime'))
    withFaketime('looks for a sale whose key the gateway may have forgotten, and does not send it again', async () => {
      const FISKD_STATE = await mkdtemp(join(dir, 'state-'))
      const sent = front.posted.length
      front.disturb('silent')
      const killed = start({ FISKD_STATE })
      killed.press('sell nine 0.90 G')
      await eventually(() => expect(front.posted).toHaveLength(sent + 1))
      await killed.kill()
      // libfaketime and the sanitizers both want to be the first library.
      const plain = name === 'c' ? await buildSample('c', join(dir, 'plain'), around, { careful: false }) : command
      const firmware = start({ FISKD_STATE }, ['faketime', '-f', '+1410m', ...plain])
      expect(await firmware.end()).toBe(0)
      expect(firmware.said).toEqual([expect.stringMatching(/^screen nine /), 'goods nine'])
      expect(front.posted).toHaveLength(sent + 1)
      expect(readdirSync(FISKD_STATE)).toEqual([])
    })

    test('waits more than nine seconds for an answer, and not for ever', async () => {
      const sent = front.posted.length
      front.disturb('silent')
      const firmware = start()
      firmware.press('sell ten 1.90 G')
      await firmware.until('goods ten')
      const [first, second] = front.posted.slice(sent)
      const waited = ((second?.at ?? 0) - (first?.at ?? 0)) / 1000
      expect(waited).toBeGreaterThan(9)
      expect(waited).toBeLessThan(30)
      await delay(100)
      expect(firmware.said.filter((line) => line.startsWith('goods'))).toEqual(['goods ten'])
      expect(existsSync(around.FISKD_STATE) && stored()).toEqual([])
    })
  })
}
