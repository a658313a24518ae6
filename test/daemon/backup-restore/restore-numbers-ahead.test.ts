import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

const NINES = '9'.repeat(20)

async function backUp(gateway: Gateway): Promise<string> {
  const file = join(await tempDir(), 'b.db')
  const ran = await fisk(['backup', file], { socket: gateway.socketPath })
  if (ran.code !== 0) throw new Error(ran.stderr)
  return file
}

/** Goes on with a backup, and leaves a gap above what the database that was here tells. */
async function restoreFrom(gateway: Gateway, file: string) {
  await gateway.stop()
  const order = readRestoreOrder([file, '--gap', '10'])
  const done = await restore(readConfig({ FISKD_DATA_DIR: gateway.dataDir }), order, Date.now())
  await gateway.restart()
  return done.sequences.filter(({ highest }) => highest !== '0')
}

test('a restore leaves no gap above a number far ahead that the lost database knew, and lets nobody have it again', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const file = await backUp(gateway)
  await gateway.sell({ number: NINES })
  await gateway.sell()
  expect(await restoreFrom(gateway, file)).toMatchObject([{ highest: '1', from: '2', to: '12', used_to: '2' }])
  expect((await gateway.post({ number: NINES })).body.error).toMatchObject({ code: 'invoice_already_exists' })
  expect((await gateway.sell()).number).toBe('13')
  expect((await diagnose(gateway)).find(({ name }) => name === 'numbers')).toMatchObject({ status: 'ok' })
})

test('a backup that knows a number far ahead passes over it once it is restored', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.sell({ number: '2000000' })
  const file = await backUp(gateway)
  await gateway.sell()
  expect(await restoreFrom(gateway, file)).toMatchObject([{ highest: '1', to: '12' }])
  for (const number of ['1000000', '1999999']) await gateway.sell({ number })
  expect((await gateway.sell()).number).toBe('2000001')
})

test('where a far number was all that was sold, the backup without it goes on from the beginning', async () => {
  const gateway = await startGateway()
  const file = await backUp(gateway)
  await gateway.sell({ number: NINES })
  await restoreFrom(gateway, file)
  expect((await gateway.post({ number: NINES })).status).toBe(409)
  expect((await gateway.sell()).number).toBe('11')
})
