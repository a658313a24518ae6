import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { FISK } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { buildSample, canRun, type SampleName } from './support/samples.ts'

const NAMES: SampleName[] = ['c', 'python', 'shell', 'typescript']

for (const name of NAMES) {
  test.skipIf(!canRun(name))(`the sample in ${name} passes every scenario of the firmware trial`, async () => {
    const gateway = await startGateway()
    const around = { FISKD_URL: gateway.url, FISKD_CA: join(gateway.dataDir, 'tls', 'ca.pem') }
    const command = await buildSample(name, join(await tempDir(), 'sample'), around)
    const trial = spawn(process.execPath, [FISK, 'firmware-trial', '--', ...command])
    const ended = once(trial, 'close')
    onTestFinished(async () => {
      trial.kill('SIGKILL')
      await ended
    })
    let report = ''
    for (const stream of [trial.stdout, trial.stderr]) stream.setEncoding('utf8').on('data', (text) => (report += text))
    const [code] = await ended
    expect(code, report).toBe(0)
    expect(report).toMatch(/The firmware passed all of \d\d scenarios/)
  })
}
