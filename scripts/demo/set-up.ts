import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoEnvironment } from './environment.ts'
import { expectThat, heading, say } from './output.ts'

const OIB = '02994650199'
const COMPANY = { name: 'Samoposluga d.o.o.', street: 'Ilica 1', city: 'Zagreb', postal_code: '10000' }
const MACHINE = 'Kavomat 1'

/** What firmware needs to sell. */
export interface Machine {
  deviceId: string
  key: string
}

export async function setUp(house: DemoEnvironment): Promise<Machine> {
  heading('A technician sets the gateway up, with the command `fisk`')
  const certificate = await house.cis.pki.issueCompany({ oib: OIB, name: COMPANY.name })
  const file = join(house.dir, 'certificate.p12')
  const passphraseFile = join(house.dir, 'passphrase')
  await writeFile(file, certificate.p12)
  await writeFile(passphraseFile, certificate.passphrase, { mode: 0o600 })
  const fisk = async (shown: string, ...args: string[]) => {
    const answer = await house.fisk(...args)
    say(`      $ fisk ${shown}`)
    return answer
  }
  const bundle = join(house.dir, 'authority-ca.pem')
  for (const purpose of ['service', 'uploads']) {
    const add = ['--mode', 'test', '--for', purpose]
    await fisk(`trust add --mode test --for ${purpose} authority-ca.pem`, 'trust', 'add', ...add, bundle)
  }
  const seat = ['--street', COMPANY.street, '--postal-code', COMPANY.postal_code, '--city', COMPANY.city]
  const company = ['company', 'add', '--oib', OIB, '--name', COMPANY.name, '--vat-rate', '25.00', ...seat]
  await fisk(`company add --oib ${OIB} --name "${COMPANY.name}" --vat-rate 25.00 --street …`, ...company)
  const cert = ['cert', 'add', '--company', OIB, '--file', file, '--passphrase-file', passphraseFile]
  await fisk(`cert add --company ${OIB} --file certificate.p12 --passphrase-file passphrase`, ...cert)
  const flags = ['--premises', 'POSL1', '--label', MACHINE, '--address', 'Trg 1, Zagreb', '--isu', '123456789']
  const add = ['device', 'add', '--company', OIB, ...flags]
  const device = await fisk(`device add --company ${OIB} --premises POSL1 --label "${MACHINE}" --isu 123456789`, ...add)
  // This printer is a program beside others: on a busy machine it may get its turn late.
  const line = ['--line', `serial:${house.printer.path}`, '--answer-timeout-ms', '5000']
  const printer = ['printer', 'set', MACHINE, '--profile', 'epson-tm-t20', ...line]
  await fisk(`printer set "${MACHINE}" --line serial:/dev/serial/by-id/… --profile epson-tm-t20`, ...printer)
  const tested = await fisk(`printer test "${MACHINE}"`, 'printer', 'test', MACHINE)
  expectThat(tested.status === 'printed', 'a test page that the printer says is out')
  const key = await fisk('key create --mode test', 'key', 'create', '--mode', 'test')
  return { deviceId: String(device.id), key: String(key.key) }
}
