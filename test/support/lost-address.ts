/**
 * Run in a network of its own (`unshare -rn`), whose loopback is up: listens on an address that comes, goes and comes
 * back, and prints as JSON what was seen at each step.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { readConfig } from '../../src/daemon/config.ts'
import { serve } from '../../src/daemon/http/serve.ts'

const LAN = '10.77.0.1'
const dataDir = mkdtempSync(join(tmpdir(), 'fiskd-address-'))
const config = readConfig({ FISKD_DATA_DIR: dataDir, FISKD_LISTEN: `${LAN}:8443,127.0.0.1:8443` })
const certificates = () => ({ now: Date.now(), since: Date.now(), isProven: false })
const clock = { now: Date.now, certificates }
const refusals = { plainHttp: () => '{}', malformedHttp: () => '{}' }
const served = await serve(
  config,
  pino({ level: 'silent' }),
  clock,
  (_, response) => response.end('ok'),
  refusals,
  null,
  50,
)
const ca = readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8')

const reaches = (host: string) =>
  new Promise<boolean>((resolve) => {
    const asking = request({ host, port: 8443, ca, agent: false, timeout: 2000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    asking.once('error', () => resolve(false))
    asking.once('timeout', () => asking.destroy())
    asking.end()
  })

const steps: object[] = []
async function see(step: string, isThere: boolean): Promise<void> {
  for (let tries = 0; tries < 100 && (served.state()[0]?.problem === null) !== isThere; tries++) await sleep(50)
  const reached = { lan: await reaches(LAN), loopback: await reaches('127.0.0.1') }
  steps.push({ step, problems: served.state().map(({ problem }) => problem), ...reached })
}

const ip = (...args: string[]) => execFileSync('ip', ['address', ...args, `${LAN}/32`, 'dev', 'lo'])
await see('absent', false)
ip('add')
await see('there', true)
ip('del')
await see('lost', false)
ip('add')
await see('back', true)
await served.close()
rmSync(dataDir, { recursive: true })
process.stdout.write(JSON.stringify(steps))
