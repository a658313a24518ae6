import type { DoubtfulNumberView, SyncSummaryView, SyncView } from '../../contract/admin/sync.ts'
import { POSITIONS_DOUBTFUL } from '../../domain/sync-bounds.ts'
import { clean, fields, paragraph, shorten } from './columns.ts'
import { duration, localTime } from './times.ts'

type Enrolled = NonNullable<SyncView['sync']>

const STATES: Record<SyncSummaryView['state'], string> = {
  connecting: 'not asked yet',
  connected: 'connected',
  unreachable: 'NOT reached; sales go on and are told later',
  revoked: 'REFUSED: the server does not take this gateway',
  duplicated: 'REFUSED: two machines say that they are this gateway',
  replaced: 'waiting: another process of this gateway is heard',
  incompatible: 'REFUSED: the server speaks another version',
  unreadable: 'NOT asked: the vault key of the enrolment is gone',
}

/** In one line of `fisk status`. */
export function syncLine({ state, waiting, refused, doubtful, server }: SyncSummaryView): string {
  const rows = waiting === 0 ? 'everything told' : `${waiting} rows wait`
  const wrong = refused === 0 ? '' : `, ${refused} REFUSED: fisk sync status`
  const numbers = doubtful === 0 ? '' : ', DOUBTFUL numbers: fisk sync confirm-numbers'
  return `${STATES[state]}, ${rows}${wrong}${numbers} (${shorten(server, 60)})`
}

/** After this long without a connection to the server, the status shows a problem. */
const LONG_S = 3600
/** A gateway asks its server within a second. */
const ASKING_S = 300

/** The problems that need an action, each with its fix; empty when there are none. @param now epoch milliseconds */
export function syncProblems({ sync, refusals }: SyncView, now: number): { problem: string; fix: string }[] {
  if (sync === null) return []
  const problems: { problem: string; fix: string }[] = []
  const lostS = (now - Date.parse(sync.since)) / 1000
  if (sync.state === 'unreachable' && lostS >= LONG_S) {
    const fix = 'Check the line and the address; FISKD_SYNC_URL names a server that has moved.'
    problems.push({ problem: `The server has not been reached for ${duration(lostS)}.`, fix })
  }
  if (sync.state === 'connecting' && lostS >= ASKING_S) {
    const fix = 'See why in the log: journalctl -u fiskd; or start it anew: systemctl restart fiskd'
    problems.push({ problem: `The server has not been asked for ${duration(lostS)}.`, fix })
  }
  const refusal = REFUSALS[sync.state]
  if (refusal) problems.push(refusal)
  if (sync.last_error?.code === POSITIONS_DOUBTFUL) {
    problems.push({ problem: 'Nothing is told: the positions of what is told have come to an end.', fix: LEAVE })
  }
  if (sync.doubtful > 0) {
    problems.push({ problem: 'The server tells receipt numbers that are not believed.', fix: CONFIRM })
  }
  if (sync.refused > 0) {
    const isHeld = refusals.some(({ code }) => code === 'premises_owned_by_gateway')
    const isFar = refusals.some(({ code }) => code === 'out_of_reach')
    const fix = isHeld ? HELD : isFar ? FAR : AGAIN
    problems.push({ problem: `The server has not taken ${sync.refused} records: they are set aside.`, fix })
  }
  return problems
}

const CONFIRM =
  'Compare them with the last receipts on paper. Where they are right: fisk sync confirm-numbers; where they are not, ' +
  'have the server checked.'
const AGAIN =
  'See what each of them says; they are sent again after five minutes, then after twice as long each time, at most a ' +
  'day, and by: fisk sync now'
const FAR =
  'The number of an invoice is out of reach of what the server knows. Where it is right, on the server: ' +
  'fisk gateway accept NAME INVOICE; then here: fisk sync now'
const HELD =
  'Another one numbers receipts at these premises. Where this one is wrong: fisk device set DEVICE --status archived. ' +
  'Where it has taken the place of the holder, on the server: fisk gateway revoke HOLDER --release'
const ANEW = 'On the server: fisk gateway add NAME --again; then here: fisk sync enroll URL TOKEN'
const LEAVE = `fisk sync leave --yes. ${ANEW}`
const REFUSALS: Partial<Record<SyncSummaryView['state'], { problem: string; fix: string }>> = {
  revoked: { problem: 'The server does not know this gateway, or it was revoked.', fix: ANEW },
  duplicated: {
    problem: 'Two machines say that they are this gateway, so nothing is taken from either.',
    fix: `Switch the wrong one off. ${ANEW}`,
  },
  unreadable: {
    problem: 'The secrets of the enrolment do not open: they were sealed with a vault key that is gone.',
    fix: ANEW,
  },
  incompatible: {
    problem: 'The server speaks another version of the protocol.',
    fix: 'Bring both to the same version.',
  },
}

export function syncText(answer: SyncView, now: number): string {
  const { sync, refusals, doubtful_numbers: doubtful } = answer
  if (sync === null) return 'This gateway has no central server. To give it one: fisk sync enroll URL TOKEN\n'
  const problems = syncProblems(answer, now).map(
    ({ problem, fix }) => paragraph('  - ', problem) + paragraph('    Fix: ', fix),
  )
  const parts = [
    problems.join(''),
    facts(sync),
    doubtfulText(doubtful),
    refused(refusals, sync.refused),
    conflicts(sync.conflicts),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function facts(sync: Enrolled): string {
  const { last_error: error, other_tenants: others } = sync
  return fields([
    ['Server', clean(sync.server)],
    ['State', `${STATES[sync.state]}, since ${localTime(sync.since)}`],
    ['Gateway', `${clean(sync.gateway.name ?? '')} (${sync.gateway.id})`],
    ['Waiting', sync.waiting === 0 ? 'nothing: everything is told' : `${sync.waiting} rows`],
    ['Set aside', sync.refused === 0 ? '0' : `${sync.refused} of them`],
    ['Last told', localTime(sync.last_push_at) ?? 'nothing yet'],
    ['Last error', error && `${localTime(error.at)}: ${clean(error.message)}`],
    ['Next try', error && localTime(sync.next_try_at)],
    [
      'Under way',
      sync.tells_again ? 'everything is told again: the server knows another history of this gateway' : null,
    ],
    ['Limit', sync.max_kbps === null ? null : `${sync.max_kbps} kbit/s (FISKD_SYNC_MAX_KBPS)`],
    ['Not told', others.length === 0 ? null : `rows of other tenants: ${others.map(clean).join(', ')}`],
  ])
}

const SHOWN = 10

const DOUBTS: Record<DoubtfulNumberView['doubt'], string> = {
  out_of_reach: 'far above it',
  unsigned: 'not signed by the server',
}

/** Empty where there is none. */
export function doubtfulText(numbers: readonly DoubtfulNumberView[]): string {
  if (numbers.length === 0) return ''
  const lines = numbers.map(({ premises_code, register, year, mode, highest, known, doubt }) => {
    const where = `${premises_code}${register === '' ? '' : `/${register}`} in ${year} (${mode})`
    return paragraph('  - ', `${where}: ${highest}; here ${known ?? 'none'}; ${DOUBTS[doubt]}`)
  })
  return `Told by the server and not believed:\n${lines.join('')}`
}

function refused(refusals: SyncView['refusals'], count: number): string {
  if (refusals.length === 0) return ''
  const lines = refusals.slice(0, SHOWN).map(({ kind, id, code, message }) => {
    return paragraph('  ', `${kind} ${id}: ${code}`) + paragraph('    ', message)
  })
  const rest = count - Math.min(SHOWN, refusals.length)
  return `Not taken by the server:\n${lines.join('')}${rest > 0 ? `  and ${rest} more: fisk sync status --json\n` : ''}`
}

function conflicts(found: Enrolled['conflicts']): string {
  if (found.length === 0) return ''
  const lines = found.slice(0, SHOWN).map(({ message }) => paragraph('  - ', message))
  return `Said by several gateways, all of it kept:\n${lines.join('')}`
}
