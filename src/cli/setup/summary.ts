import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Session } from '../session.ts'
import { fields } from '../text.ts'
import type { SetupResult, Step } from './setup.ts'

/** Where the local CA is, as far as this account can see; the socket usually lies in the data directory too. */
export function caFile(session: Session): string | null {
  const { FISKD_DATA_DIR } = session.io.env
  const places = [...(FISKD_DATA_DIR ? [FISKD_DATA_DIR] : []), dirname(session.socketPath()), '/var/lib/fiskd']
  return places.map((place) => resolve(join(place, 'tls', 'ca.pem'))).find((path) => existsSync(path)) ?? null
}

const NAMES: Record<Step['step'], string> = {
  company: 'company',
  trust: 'trust',
  certificate: 'certificate',
  device: 'device',
  isu_number: 'ISU number',
  key: 'API key',
}

const STATES: Record<Step['state'], string> = { done: 'done:', already: 'already there:', left: 'to do:' }

export function stepsText(steps: Step[]): string {
  return fields(steps.map(({ step, state, detail }) => [NAMES[step], `${STATES[state]} ${detail}`]))
}

/** The closing page: what was done, what the firmware needs, what comes next. */
export function summaryText(result: SetupResult): string {
  const { steps, key, device_id, ca_file } = result
  const left = steps.filter(({ step, state }) => state === 'left' && step !== 'key')
  const next = left.length > 0 ? 'what is marked "to do", then fisk status' : 'fisk status'
  return `\n${stepsText(steps)}\n${firmware(key?.key ?? null, device_id, ca_file)}Next: ${next}\n`
}

function firmware(key: string | null, deviceId: string | null, ca: string | null): string {
  if (key === null && deviceId === null) return ''
  const rows = fields([
    ['  base URL', 'https://localhost:8443/v1, or an address that FISKD_LISTEN names'],
    ['  API key', key],
    ['  device_id', deviceId],
    ['  CA file', ca ?? 'tls/ca.pem in the data directory of fiskd'],
  ])
  return `Put into the firmware${key === null ? '' : ' (the key is shown only now)'}:\n${rows}\n`
}
