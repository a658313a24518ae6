import { expect, test } from 'vitest'
import { SyncFailure } from '../../../src/sync/gateway/failure.ts'
import { greeted } from './support/greeted.ts'

async function enrolmentAfter(answer: { position: number; heard: number }) {
  const outcome = await greeted(answer)
  if (outcome instanceof SyncFailure) throw outcome
  return outcome.enrolment.get()
}

test('a server that has heard what this database never told has everything told again, wherever its position is', async () => {
  expect(await enrolmentAfter({ position: 45, heard: 70 })).toMatchObject({ position: 45, tellAgainTo: 70 })
})

test('rows that travelled ahead of their turn are no other history', async () => {
  expect(await enrolmentAfter({ position: 45, heard: 50 })).toMatchObject({ position: 45, tellAgainTo: null })
})
