import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { StatusView } from '../../contract/admin/status.ts'
import { checksText } from '../text/check-text.ts'
import { fields, paragraph } from '../text/columns.ts'
import { fingerprintRows } from '../text/fingerprint.ts'
import type { Screen } from '../text/screen.ts'
import { problemText } from '../text/status-text.ts'
import { translate } from '../words/translate.ts'
import { type SetupResult, STEP_NAMES, type Step } from './setup.ts'

/** What the daemon says of what the firmware pins. A certificate of the operator leads to a CA that fiskd does not know. */
export function caFacts({ ca }: StatusView): Pick<SetupResult, 'ca_file' | 'ca_sha256'> {
  return { ca_file: ca && resolve(ca.file), ca_sha256: ca?.sha256 ?? null }
}

/** By `localhost` on the same machine, else by an address, or by the machine's name where that is every address. */
export function baseUrls({ listen }: StatusView): string[] {
  const open = listen.filter(({ problem }) => problem === null)
  const named = (open.length > 0 ? open : listen).flatMap(({ address }) => {
    const [, port] = /^(?:0\.0\.0\.0|\[::\]):(\d+)$/.exec(address) ?? []
    return port
      ? [`localhost:${port}`, `${hostname()}:${port}`]
      : address.replace(/^(127\.0\.0\.1|\[::1\]):/, 'localhost:')
  })
  return [...new Set(named)].map((one) => `https://${one}/v1`)
}

const STATES: Record<Step['state'], string> = { done: 'done:', already: 'already there:', left: 'to do:' }

export function stepsText(steps: Step[], screen: Screen): string {
  const say = (text: string) => translate(text, screen.language)
  // Each by itself: the name of a company may stand at the beginning of a detail.
  return fields(
    steps.map(({ step, state, detail }) => [say(STEP_NAMES[step]), `${say(STATES[state])} ${say(detail)}`]),
    { ...screen, language: 'en' },
  )
}

export function summaryText(result: SetupResult, screen: Screen): string {
  const authority = checksText(result.authority, screen)
  const portal = result.isu_pending === null ? '' : paragraph('', PORTAL, screen)
  const rest = [portal, firmware(result, screen), sellingText(result, screen)]
  const parts = [stepsText(result.steps, screen), authority, ...rest]
  return `\n${parts.filter((part) => part !== '').join('\n')}`
}

const PORTAL = "What to type into the tax authority's portal for the ISU number: fisk isu pending"

function firmware({ key, device_id, ...facts }: SetupResult, screen: Screen): string {
  if (key === null && device_id === null) return ''
  const own: Row[] = [
    ['  API key', key?.key ?? null],
    ['  device_id', device_id],
  ]
  return firmwareText(facts, key !== null, own, screen)
}

type Row = [name: string, value: string | null]

/** What has to be put into the firmware. @param isNew a key was made @param own of its machines */
export function firmwareText(
  { ca_file, ca_sha256, base_urls }: Pick<SetupResult, 'ca_file' | 'ca_sha256' | 'base_urls'>,
  isNew: boolean,
  own: Row[],
  screen: Screen,
): string {
  const ca = ca_file ?? 'of the CA that has issued the certificate of this fiskd (FISKD_TLS_CERT)'
  const hash = fingerprintRows('  CA SHA-256', ca_sha256)
  const lead = `Put into the firmware${isNew ? ' (the key is shown only now)' : ''}:`
  const rows: Row[] = [['  base URL', base_urls.join(' or ')], ...own, ['  CA file', ca], ...hash]
  return paragraph('', lead, screen) + fields(rows, screen)
}

/** Whether it can sell, and what comes next. @param again what comes next while a step is left and it cannot */
export function sellingText(
  { steps, can_sell, problems }: Pick<SetupResult, 'steps' | 'can_sell' | 'problems'>,
  screen: Screen,
  again?: string,
): string {
  const [problem] = can_sell === false ? problems : []
  const verdict = can_sell === null ? '' : paragraph('', can_sell ? 'It can sell now.' : 'It CANNOT sell yet.', screen)
  const isLeft = steps.some(({ state, step }) => state === 'left' && step !== 'key')
  const then = isLeft ? 'what is marked "to do", then fisk status' : 'fisk status'
  if (!problem) return verdict + paragraph('Next: ', then, screen)
  const next = isLeft && again ? again : problem.fix
  return verdict + paragraph('  ', problemText(problem, screen)) + paragraph('Next: ', next, screen)
}
