import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Simulator } from '../../src/simulator/index.ts'
import { createFirmware, type Order, type Sale } from './firmware.ts'
import { must, type Outcome, type Root } from './root.ts'

const OIB = '02994650199'
const DEVICE = 'Lobby 1'

/** A machine in the field, seen by the technician who sets it up and by its firmware. */
export interface Kiosk {
  /** Copies a package onto it and installs it, as a technician would. */
  install(deb: string): Promise<Outcome>
  /** Sets it up with one command. */
  init(): Promise<void>
  /** Gives its firmware the key and the id of its device. */
  use(given: { key: string; deviceId: string }): void
  /** @throws Error when it is not fiscalized @returns the receipt's number */
  sell(): Promise<Sale>
  /** The same, and posted again as long as nobody is found. @throws Error when that takes more than a minute, on a computer */
  sellAgain(): Promise<Sale>
  /**
   * Sells once a second as long as something lasts. Like any firmware it posts what found nobody again, with its key.
   * @throws Error when that takes more than a minute, on a computer @returns the last sale
   */
  sellDuring(something: Promise<unknown>): Promise<Sale>
  root: Root
}

export async function createKiosk(root: Root, cis: Simulator): Promise<Kiosk> {
  const company = await cis.pki.issueCompany({ oib: OIB })
  await root.write('root/ca.pem', cis.pki.bundlePem)
  await root.write('root/fiskal1.p12', company.p12)
  await root.write('root/passphrase.txt', company.passphrase)
  const authority = new URL(cis.url)
  authority.hostname = root.authority
  const settings = `Environment=FISKD_CIS_TEST_URL=${authority.href}\nEnvironment=FISKD_LISTEN=${root.lan.listen}\n`
  await root.write('etc/systemd/system/fiskd.service.d/trial.conf', `[Service]\n${settings}`)
  const firmware = createFirmware(root, root.lan)
  const sellOrder = (order: Order) => againFor(60_000 * root.patience, () => firmware.sell(order))
  return {
    root,
    async install(deb) {
      await root.write('root/fiskd.deb', readFileSync(deb))
      return root.sh('apt-get install -y --no-install-recommends --allow-downgrades /root/fiskd.deb 2>&1')
    },
    async init() {
      const { stdout } = must(await root.sh(INIT))
      const { key, device_id } = JSON.parse(stdout)
      firmware.use({ key: key.key, deviceId: device_id })
    },
    use: firmware.use,
    sell: () => firmware.sell(firmware.order()),
    sellAgain: () => sellOrder(firmware.order()),
    async sellDuring(something) {
      let isOver = false
      const end = () => {
        isOver = true
      }
      something.then(end, end)
      for (;;) {
        const sold = await sellOrder(firmware.order())
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
  `--label "${DEVICE}" --key --no-printer`,
].join(' ')
