import { type Dialogue, DOWN, type } from '../terminal.ts'
import { type Field, OIB } from './field.ts'

/** The questions of a machine with one company and no printer; the simulator's CA is not to be downloaded. */
const DIALOGUE: Dialogue = [
  ['What is this machine?', ''],
  ['OIB of the company', OIB],
  ['Name of the company', 'Kava d.o.o.'],
  ['Which tax authority service', ''],
  ['VAT rate of its sales', ''],
  ['CA certificates of', DOWN],
  ['Files with CA', '/root/ca.pem'],
  ['PKCS#12 file', '/root/fiskal1.p12'],
  ['Passphrase', 'lozinka'],
  ['Label of the machine', 'Lobby 1'],
  ['Business premises code', 'POSL1'],
  ['ISU number', '12345'],
  ['No printer was found', DOWN],
]
/** The files with the simulator's CA, where a machine in the field downloads that of the authority. */
const ONLY_HERE = 1

/**
 * From the package to the first JIR, as a person types it.
 * @throws Error when a screen does not say what comes next @returns what was measured
 */
export async function sellFirst(field: Field): Promise<string> {
  const startedAt = performance.now()
  const install = await type(field.root, 'sudo apt-get install -y --no-install-recommends /root/fiskd.deb')
  // needrestart, where it is installed, adds lines of its own.
  const last = install.text.split('\n').findLast((line) => line.startsWith('fiskd: ')) ?? ''
  if (!/sudo fisk init/.test(last))
    throw new Error(`apt does not end with what comes next:\n${install.text.slice(-2000)}`)
  const fresh = await type(field.root, 'fisk status')
  if (!/sudo fisk init/.test(fresh.text))
    throw new Error(`a fresh machine does not say what comes next:\n${fresh.text}`)
  const init = await type(field.root, 'sudo fisk init', DIALOGUE)
  const key = /fisk_test_[\w-]+/.exec(init.text)?.[0]
  const deviceId = /device_id\s+([0-9a-f-]{36})/.exec(init.text)?.[1]
  if (init.code !== 0 || !key || !deviceId) throw new Error(`init ended with ${init.code}:\n${init.text.slice(-4000)}`)
  field.firmware.use({ key, deviceId })
  const { jir } = await field.sell()
  const questions = init.answered - ONLY_HERE
  if (questions > 12) throw new Error(`init asks ${questions} questions`)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  return `JIR ${jir} after 2 commands and ${questions} questions, ${seconds} s after the first command`
}
