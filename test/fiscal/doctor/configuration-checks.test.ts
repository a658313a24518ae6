import { expect, test } from 'vitest'
import { changed, diagnose } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'
import { verdicts } from '../../support/healthy.ts'

/** What the doctor says differently of a gateway that was started with these variables. */
async function withVariables(env: Record<string, string>) {
  return changed(await diagnose(await startGateway()), await diagnose(await startGateway(env)))
}

test('configuration: a misspelt variable, which has no effect, is a warning', async () => {
  const found = await withVariables({ FISKD_LISTNE: '0.0.0.0:8443' })
  expect(verdicts(found)).toEqual(['configuration warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('FISKD_LISTNE'),
    fix: expect.stringContaining('correct the spelling'),
  })
})

test('deployment mode: that of another service than the one that is sold with is a warning', async () => {
  const found = await withVariables({ FISKD_DEPLOYMENT_MODE: 'live' })
  expect(verdicts(found)).toEqual(['deployment mode warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('it is live'),
    fix: 'set FISKD_DEPLOYMENT_MODE=test and restart fiskd',
  })
})
