import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { StatusView } from '../../contract/admin/status.ts'
import { serviceEnvironment } from '../machine/fiskd-program.ts'
import type { Session } from '../session.ts'
import { checksText } from '../text/check-text.ts'
import { fields, paragraph } from '../text/columns.ts'
import { fingerprintRows } from '../text/fingerprint.ts'
import type { Screen } from '../text/screen.ts'
import { problemText } from '../text/status-text.ts'
import { translate } from '../words/translate.ts'
import type { SetupResult, Step, StepName } from './setup.ts'

/** What the firmware pins, as the daemon says it. A certificate of the operator leads to a CA that fiskd does not know. */
export function caFacts(session: Session, status: StatusView | null): Pick<SetupResult, 'ca_file' | 'ca_sha256'> {
  if (status === null) return { ca_file: caFile(session), ca_sha256: null }
  return { ca_file: status.ca?.file ?? null, ca_sha256: status.ca?.sha256 ?? null }
}

/** Where the local CA is, as far as this account can see; the socket usually lies in the data directory too. */
function caFile(session: Session): string | null {
  const { FISKD_DATA_DIR } = session.io.env
  const places = [...(FISKD_DATA_DIR ? [FISKD_DATA_DIR] : []), dirname(session.socketPath()), '/var/lib/fiskd']
  return places.map((place) => resolve(join(place, 'tls', 'ca.pem'))).find((path) => existsSync(path)) ?? null
}

/**
 * Where the firmware reaches the daemon: by `localhost` on the same machine, else by an address that is listened on, or
 * by the machine's name where that is every address.
 */
export function baseUrls(session: Session): string[] {
  const { FISKD_LISTEN } = serviceEnvironment(session.io.env)
  const listened = (FISKD_LISTEN || '127.0.0.1:8443').split(',').map((one) => one.trim())
  const named = listened.flatMap((one) => {
    const [, port] = /^(?:0\.0\.0\.0|\[::\]):(\d+)$/.exec(one) ?? []
    return port ? [`localhost:${port}`, `${hostname()}:${port}`] : one.replace(/^(127\.0\.0\.1|\[::1\]):/, 'localhost:')
  })
  return [...new Set(named)].map((one) => `https://${one}/v1`)
}

const NAMES: Record<StepName, string> = {
  role: 'role',
  listen: 'reached by',
  service: 'service',
  company: 'company',
  address: 'seat',
  mode: 'mode',
  live: 'before live',
  trust: 'trust',
  certificate: 'certificate',
  device: 'device',
  isu_number: 'ISU number',
  printer: 'printer',
  server: 'central server',
  key: 'API key',
  taken_over: 'taken over',
  numbers: 'receipt numbers',
  database: 'database',
  processes: 'processes',
  user: 'dashboard user',
  gateway: 'first gateway',
}

const STATES: Record<Step['state'], string> = { done: 'done:', already: 'already there:', left: 'to do:' }

export function stepsText(steps: Step[], screen: Screen): string {
  const say = (text: string) => translate(text, screen.language)
  // Each by itself: the name of a company may stand at the beginning of a detail.
  return fields(
    steps.map(({ step, state, detail }) => [say(NAMES[step]), `${say(STATES[state])} ${say(detail)}`]),
    { ...screen, language: 'en' },
  )
}

/** The closing page: what was done, what the firmware needs, whether it can sell, what comes next. */
export function summaryText(result: SetupResult, screen: Screen): string {
  const authority = checksText(result.authority, screen)
  const rest = [portal(result, screen), firmware(result, screen), selling(result, screen)]
  const parts = [stepsText(result.steps, screen), authority, ...rest]
  return `\n${parts.filter((part) => part !== '').join('\n')}`
}

/** Where stands what the tax authority asks of a machine before it issues the number. */
function portal({ isu_pending: machine }: SetupResult, screen: Screen): string {
  if (machine === null) return ''
  return paragraph('', "What to type into the tax authority's portal for the ISU number: fisk isu pending", screen)
}

function firmware({ key, device_id, ca_file, ca_sha256, base_urls }: SetupResult, screen: Screen): string {
  if (key === null && device_id === null) return ''
  const rows = fields(
    [
      ['  base URL', base_urls.join(' or ')],
      ['  API key', key?.key ?? null],
      ['  device_id', device_id],
      ['  CA file', ca_file ?? 'of the CA that has issued the certificate of this fiskd (FISKD_TLS_CERT)'],
      ...fingerprintRows('  CA SHA-256', ca_sha256),
    ],
    screen,
  )
  return paragraph('', `Put into the firmware${key === null ? '' : ' (the key is shown only now)'}:`, screen) + rows
}

function selling({ steps, can_sell, problems }: SetupResult, screen: Screen): string {
  const [problem] = problems
  const why = problem === undefined ? '' : paragraph('  ', problemText(problem, screen))
  const verdict = can_sell === null ? '' : paragraph('', can_sell ? 'It can sell now.' : 'It CANNOT sell yet.', screen)
  const isLeft = steps.some(({ state, step }) => state === 'left' && step !== 'key')
  const next = problem && can_sell === false ? problem.fix : 'fisk status'
  const then = isLeft && can_sell !== false ? 'what is marked "to do", then fisk status' : next
  return verdict + (can_sell === false ? why : '') + paragraph('Next: ', then, screen)
}
