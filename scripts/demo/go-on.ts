import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoEnvironment } from './environment.ts'
import { say } from './output.ts'
import type { Machine } from './set-up.ts'

const USER = 'demo'

/** What somebody needs who goes on by hand; each line can be pasted into another terminal, in this folder. */
export async function tellHowToGoOn(house: DemoEnvironment, { deviceId, key }: Machine): Promise<void> {
  const password = randomBytes(12).toString('base64url')
  const passwordFile = join(house.dir, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  await house.fisk('user', 'add', USER, '--role', 'admin', '--language', 'en', '--password-file', passwordFile)
  const ca = join(house.dir, 'tls', 'ca.pem')
  // With everything else it is gone at the end.
  const state = join(house.dir, 'firmware')
  await mkdir(state)
  say(`
  It goes on until you press Ctrl-C. In another terminal, in this folder:

export FISKD_URL=${house.base} FISKD_CA=${ca} FISKD_DATA_DIR=${house.dir}
export FISKD_KEY=${key} FISKD_DEVICE=${deviceId} FISKD_STATE=${state}

  A sale, by curl and by a sample of firmware (examples/README.md has more of them):

${curlLine({ base: house.base, ca, key, deviceId })}
echo 'sell 1 2.50 G Coffee' | python3 examples/python/vending.py

  What the gateway says of it:

node bin/fisk.js invoice list
node bin/fisk.js status

  The simulated tax authority refuses the next sale (src/simulator/misbehaviours.ts has more faults):

curl -sS ${new URL('/_simulator/misbehave', house.cis.url)} --cacert ${join(house.dir, 'authority-ca.pem')} -d '{"behaviours": [{"error": "s001"}]}'

  Dashboard: ${house.base}/dashboard (its certificate is of the gateway's own CA), user ${USER}, password ${password}
`)
}

/** A complete sale that works however often it is pasted. */
function curlLine(at: { base: string; ca: string; key: string; deviceId: string }): string {
  const body = `{\\"device_id\\":\\"${at.deviceId}\\",\\"occurred_at\\":\\"$(date -Iseconds)\\",\\"total\\":\\"2.50\\",\\"payment_method\\":\\"G\\"}`
  const headers = [
    `Authorization: Bearer ${at.key}`,
    'Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)',
    'Content-Type: application/json',
  ]
  return `curl -sS --cacert ${at.ca} ${at.base}/v1/invoices ${headers.map((header) => `-H "${header}"`).join(' ')} -d "${body}"`
}
