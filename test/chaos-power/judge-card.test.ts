import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Seen } from '../../scripts/chaos/sale.ts'
import { judgeCard, judgeData, type ToldAnswer } from '../../scripts/chaos-power/judge-card.ts'
import { makeCard } from '../../scripts/machine/card.ts'
import { EMPTY_DATABASE } from '../support/programs.ts'
import { mayMount } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'

const machine = { id: 'a', premisesCode: 'POSL1' }
const seen: Seen = { id: 'x', number: '1', zki: 'z', status: 'confirmed', jir: null, text: '', at: 0 }
const lost: ToldAnswer = {
  sale: {
    machine,
    key: 'k',
    body: '',
    occurredAt: '2026-11-26T10:00:00.000Z',
    total: '1.00',
    seen: [seen],
    refusals: [],
  },
  seen,
}

async function dataDir(): Promise<string> {
  const dir = join(await tempDir(), 'fiskd')
  mkdirSync(dir)
  copyFileSync(EMPTY_DATABASE, join(dir, 'fiskd.db'))
  return dir
}

test('an answer that is not in the database is found', async () => {
  expect(await judgeData(await dataDir(), [])).toEqual([])
  expect(await judgeData(await dataDir(), [lost])).toEqual([
    'the sale of 2026-11-26T10:00:00.000Z at POSL1 was answered with number 1, and is not there',
  ])
})

test.skipIf(!mayMount())('a card is mounted to be judged, and one that cannot be mounted is found', async () => {
  const dir = await tempDir()
  const image = join(dir, 'card.img')
  makeCard('ext4', join(await dataDir(), '..'), image)
  expect(await judgeCard(image, join(dir, 'mounted'), [])).toEqual([])
  expect(await judgeCard(image, join(dir, 'mounted'), [lost])).toHaveLength(1)
  copyFileSync(EMPTY_DATABASE, image)
  expect(await judgeCard(image, join(dir, 'mounted'), [])).toHaveLength(1)
})
