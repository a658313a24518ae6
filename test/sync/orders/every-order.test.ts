import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { makeTempDir } from '../../support/temp-dir.ts'
import { Card } from './support/card.ts'
import { COMMANDS, fileOf, type Kiosk, startModel } from './support/kiosk.ts'
import { copyPlace, emptyPlace, openOffice } from './support/office.ts'

/** `FISKD_TEST_ORDERS=1000 npx vitest run --project sqlite test/sync/orders` plays as many. */
const ORDERS = Number(process.env.FISKD_TEST_ORDERS ?? 15)

let template: string
let orders = 0
beforeAll(async () => {
  template = await makeTempDir(atTheEndOfFile)
  const office = await openOffice(emptyPlace(join(template, 'office')))
  const card = new Card(emptyPlace(join(template, 'card-1')), office)
  await card.setUp()
  await card.backUp(fileOf(template, 0))
  await office.close()
  emptyPlace(join(template, 'blank'))
}, 60_000)

/** Plays random orders. @param gap of each replacement; what fisk replace takes by itself where it is left out */
async function play(numRuns: number, options: { gap?: number; seed?: number } = {}) {
  const dir = await makeTempDir(onTestFinished)
  const order = fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 14, size: 'max' }), async (commands) => {
    const place = join(dir, `order-${++orders}`)
    copyPlace(template, place)
    const office = await openOffice(join(place, 'office'))
    try {
      const kiosk: Kiosk = { place, office, current: new Card(join(place, 'card-1'), office), gap: options.gap }
      await fc.asyncModelRun(() => ({ model: startModel(), real: kiosk }), commands)
    } finally {
      await office.close()
      rmSync(place, { recursive: true })
    }
  })
  return fc.check(order, { numRuns, ...(options.seed !== undefined && { seed: options.seed }) })
}

test('no order of backups, restores, sales, replacements and old cards gives out a number twice', {
  timeout: 60_000 + ORDERS * 20_000,
}, async () => {
  const { failed, counterexample, errorInstance, seed } = await play(ORDERS)
  expect(failed, `seed ${seed}: ${counterexample}\n${errorInstance}`).toBe(false)
})

test('a replacement that skips no more than a restore does is found', { timeout: 600_000 }, async () => {
  const { failed, counterexample } = await play(200, { gap: 1000, seed: 1 })
  expect(failed).toBe(true)
  expect(String(counterexample)).toMatch(/restore.*replace/)
})
