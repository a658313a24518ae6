import assert from 'node:assert/strict'
import { must, type Root } from './root.ts'
import type { Trial } from './steps.ts'

/** From `fisk replace` to the first JIR on a computer; what apt takes depends on the card. */
const MOST_S = 60

/** The office runs the program of the package from another folder, which a purge of the package leaves alone. */
const PROGRAM = '/srv/program/bin'
const OFFICE_FILES = 'mkdir -p /srv/central && cp -a /usr/lib/fiskd /srv/program'
const OFFICE = [
  'systemd-run --quiet --unit=central -E FISKD_ROLE=server -E FISKD_DATA_DIR=/srv/central',
  '-E FISKD_SOCKET=/srv/central/fiskd.sock -E FISKD_LISTEN=127.0.0.1:18443',
  `${PROGRAM}/node ${PROGRAM}/fiskd.js`,
].join(' ')
const SERVER = 'https://localhost:18443'
const FILES =
  '--trust-file /root/ca.pem --cert-file /root/fiskal1.p12 --passphrase-file /root/passphrase.txt --no-printer'

/**
 * A controller that sells at a central server dies, and a fresh card takes its place with three commands.
 * @returns how long that took
 */
export async function replaceController({ kiosk, deb }: Trial): Promise<string> {
  const { root } = kiosk
  await wipe(root)
  must(await kiosk.install(deb))
  await kiosk.init()
  must(await root.sh(`${OFFICE_FILES} && ${OFFICE} && ${untilTrue('test -S /srv/central/fiskd.sock')}`))
  must(await root.sh(`fisk sync enroll ${SERVER} ${await tokenOf(root, '')}`))
  for (let sale = 0; sale < 3; sale += 1) await kiosk.sell()
  const { device_id: before } = await latestSale(root)
  must(await root.sh(`fisk sync now && ${untilTrue(`fisk --json sync status | grep -q '"waiting": 0'`)}`))
  must(await root.sh('systemctl kill --signal=SIGKILL fiskd'))
  await wipe(root)
  const token = await tokenOf(root, '--again')

  const startedAt = performance.now()
  must(await kiosk.install(deb))
  const installedAt = performance.now()
  const replaced = JSON.parse(must(await root.sh(`fisk --json replace ${SERVER} ${token} ${FILES}`)).stdout)
  const { id, key } = replaced.devices[0]
  assert.equal(id, before)
  kiosk.use({ key: key.key, deviceId: id })
  const sold = await kiosk.sell()
  const seconds = (from: number) => (performance.now() - from) / 1000
  const [sinceInstall, sinceReplace] = [seconds(startedAt), seconds(installedAt)]
  assert.equal(sold.number, '11004')
  must(await root.sh('fisk status'))
  assert.ok(sinceReplace < MOST_S * root.patience, `${sinceReplace} s from fisk replace to the first JIR`)
  must(await root.sh('systemctl stop central; rm -rf /srv/central /srv/program'))
  return `JIR ${sold.jir} ${sinceReplace.toFixed(1)} s after fisk replace, ${sinceInstall.toFixed(1)} s after apt install, 3 commands`
}

/** What a fresh card has of fiskd: nothing. */
async function wipe(root: Root): Promise<void> {
  must(await root.sh('FISKD_PURGE_RECORDS=yes apt-get purge -y fiskd 2>&1'))
  must(await root.sh('rm -rf /var/lib/fiskd /etc/fiskd /var/backups/fiskd /var/cache/fiskd'))
}

const untilTrue = (condition: string) => `for i in $(seq 600); do ${condition} && exit 0; sleep 0.2; done; exit 1`

async function tokenOf(root: Root, again: string): Promise<string> {
  const fisk = `FISKD_SOCKET=/srv/central/fiskd.sock ${PROGRAM}/node ${PROGRAM}/fisk.js --json`
  return JSON.parse(must(await root.sh(`${fisk} gateway add kiosk ${again}`)).stdout).token
}

async function latestSale(root: Root): Promise<{ device_id: string }> {
  return JSON.parse(must(await root.sh('fisk --json invoice list --limit 1')).stdout).data[0]
}
