import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Simulator } from '../../src/simulator/index.ts'
import { createFirmware, type Sale } from './firmware.ts'
import { must, type Outcome, type Root } from './root.ts'

const OIB = '02994650199'
const DEVICE = 'Lobby 1'

/** A machine in the field, seen by the technician who sets it up and by its firmware. */
export interface Kiosk {
  /** Copies a package onto it and installs it, as a technician would. */
  install(deb: string): Promise<Outcome>
  /** Sets it up with one command. */
  init(): Promise<void>
  /** @throws Error when it is not fiscalized @returns the receipt's number */
  sell(): Promise<Sale>
  /**
   * Sells once a second as long as something lasts. Like any firmware it posts what found nobody again, with its key.
   * @throws Error when that takes more than a minute @returns the last sale
   */
  sellDuring(something: Promise<unknown>): Promise<Sale>
  root: Root
}

export async function createKiosk(root: Root, cis: Simulator): Promise<Kiosk> {
  const port = await freePort()
  const company = await cis.pki.issueCompany({ oib: OIB })
  writeFileSync(root.path('root/ca.pem'), cis.pki.bundlePem)
  writeFileSync(root.path('root/fiskal1.p12'), company.p12)
  writeFileSync(root.path('root/passphrase.txt'), company.passphrase)
  const dropIn = root.path('etc/systemd/system/fiskd.service.d')
  mkdirSync(dropIn, { recursive: true })
  const settings = `Environment=FISKD_CIS_TEST_URL=${cis.url}\nEnvironment=FISKD_LISTEN=127.0.0.1:${port}\n`
  writeFileSync(join(dropIn, 'trial.conf'), `[Service]\n${settings}`)
  const firmware = createFirmware(root, port)
  return {
    root,
    install(deb) {
      writeFileSync(root.path('root/fiskd.deb'), readFileSync(deb))
      return root.sh('apt-get install -y --no-install-recommends --allow-downgrades /root/fiskd.deb 2>&1')
    },
    async init() {
      const { stdout } = must(await root.sh(INIT))
      const { key, device_id } = JSON.parse(stdout)
      firmware.use({ key: key.key, deviceId: device_id })
    },
    sell: () => firmware.sell(firmware.order()),
    async sellDuring(something) {
      let isOver = false
      const end = () => {
        isOver = true
      }
      something.then(end, end)
      for (;;) {
        const next = firmware.order()
        const sold = await againFor(60_000, () => firmware.sell(next))
        if (isOver) return sold
        await pause(1000)
      }
    },
  }
}

async function againFor<T>(milliseconds: number, attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + milliseconds
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > until) throw error
      await pause(200)
    }
  }
}

const INIT = [
  `fisk --json init --oib ${OIB} --name "Kava d.o.o." --vat-rate 25.00 --trust-file /root/ca.pem`,
  '--cert-file /root/fiskal1.p12 --passphrase-file /root/passphrase.txt --premises POSL1 --isu 12345',
  `--label "${DEVICE}" --key`,
].join(' ')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
