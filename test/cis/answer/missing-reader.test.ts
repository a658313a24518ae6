import { expect, onTestFinished, test } from 'vitest'
import { runDaemon } from '../../support/daemon-process.ts'
import { startGateway } from '../../support/gateway.ts'

/** As long as a package is being replaced, what was not loaded before is not there. */
const HOOKS = `export const resolve = (name, context, next) => {
  if (name.includes('any-answer')) throw new Error('no such file')
  return next(name, context)
}`
const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const PRELOAD = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(HOOKS))})`)

test('an answer that needs the XML reader while that is missing is no answer: the sale is sent again', async () => {
  const gateway = await startGateway()
  const daemon = await runDaemon(gateway, onTestFinished, { preload: [PRELOAD], fromSources: true })
  expect(await daemon.post()).toMatchObject({ status: 200, body: { status: 'confirmed' } })
  gateway.cis.always('utf-16')
  expect(await daemon.post()).toMatchObject({
    body: { status: 'retrying', fiscal_error: { code: 'upstream_unavailable' } },
  })
})
