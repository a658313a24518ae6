import { expect, test } from 'vitest'
import { configurationChecks } from '../../../src/fiscal/doctor/process-checks.ts'
import { changed, diagnose, examine, troubles } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'
import { verdicts } from '../../support/healthy.ts'

test('configuration: a misspelt variable, which has no effect, is a warning', async () => {
  const misspelt = await startGateway({ FISKD_LISTNE: '0.0.0.0:8443' })
  const found = changed(await diagnose(await startGateway()), await diagnose(misspelt))
  expect(verdicts(found)).toEqual(['configuration warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('FISKD_LISTNE'),
    fix: expect.stringContaining('correct the spelling'),
  })
})

test('deployment mode: that of another service than the one that is sold with is a warning', async () => {
  const store = { companies: { ours: async () => [{ status: 'active', mode: 'test' }] } } as never
  const inMode = (deploymentMode: 'test' | 'live') =>
    examine(configurationChecks({ store, configuration: { deploymentMode, unknownVariables: [] } }))
  expect(troubles(await inMode('test'))).toEqual([])
  const found = troubles(await inMode('live'))
  expect(verdicts(found)).toEqual(['deployment mode warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('it is live'),
    fix: 'set FISKD_DEPLOYMENT_MODE=test and restart fiskd',
  })
})
