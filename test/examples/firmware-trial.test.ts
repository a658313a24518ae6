import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { FISK } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { buildSample, canRun, type SampleName } from './support/samples.ts'

const NAMES: SampleName[] = ['c', 'python', 'shell', 'typescript']

// Each mostly waits, as a customer would.
describe.concurrent('the samples', () => {
  test.for(NAMES)(
    'the one in %s passes every scenario of the firmware trial',
    async (name, { onTestFinished, skip }) => {
      skip(!canRun(name))
      const gateway = await startGateway()
      const around = { FISKD_URL: gateway.url, FISKD_CA: join(gateway.dataDir, 'tls', 'ca.pem') }
      // libfaketime and the sanitizers both want to be the first library.
      const command = await buildSample(name, join(await tempDir(), 'sample'), around, { careful: false })
      const trial = spawn(process.execPath, [FISK, 'firmware-trial', '--', ...command])
      const ended = once(trial, 'close')
      onTestFinished(async () => {
        trial.kill('SIGKILL')
        await ended
      })
      let report = ''
      for (const stream of [trial.stdout, trial.stderr])
        stream.setEncoding('utf8').on('data', (text) => (report += text))
      const [code] = await ended
      expect(code, report).toBe(0)
      expect(report).toMatch(/The firmware passed all of \d\d scenarios/)
    },
  )
})
