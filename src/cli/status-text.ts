import type { Status, StatusCompany } from './answers.ts'
import { table } from './table.ts'
import { clean, fields, paragraph, shorten } from './text.ts'
import { duration, localTime, withDistance } from './times.ts'

/** What one screen holds; `--json` has everything. */
const MOST_PROBLEMS = 5
const MOST_COMPANIES = 8

/** The state of a gateway on one screen of 80 columns, the answer to "can it sell?" first. */
export async function statusText(status: Status, colour: boolean): Promise<string> {
  const parts = [verdict(status, colour), facts(status)]
  if (status.companies.length > 0) parts.push(await companies(status.companies))
  return parts.join('\n')
}

const RED = 31
const GREEN = 32

function verdict(status: Status, colour: boolean): string {
  const paint = (code: number, text: string) => (colour ? `\u001b[1;${code}m${text}\u001b[0m` : text)
  const line = status.can_sell
    ? paint(GREEN, `This ${status.role} can sell.`)
    : paint(RED, `This ${status.role} CANNOT sell.`)
  const shown = status.problems.slice(0, MOST_PROBLEMS)
  const problems = shown.map(({ subject, problem, fix }) => {
    const what = paragraph('  - ', subject === '' ? problem : `${shorten(subject, 60)}: ${problem}`)
    return what + paragraph('    Fix: ', fix)
  })
  return `${line}\n${problems.join('')}${more(status.problems.length - shown.length)}`
}

function facts(status: Status): string {
  const { queue, cis, devices, clock } = status
  const reach = cis.reachable ? `reachable in ${cis.latency_ms} ms` : 'NOT reachable'
  return fields([
    ['Queue', `${queue.pending} pending, ${queue.retrying} retrying, ${queue.failed} failed, ${queue.expired} expired`],
    ['Oldest', withDistance(queue.oldest_at, status.checked_at) ?? '-'],
    ['Next deadline', withDistance(queue.next_deadline_at, status.checked_at) ?? '-'],
    ['Last JIR', withDistance(status.last_jir_at, status.checked_at) ?? 'none yet'],
    ['CIS', `${reach} (${cis.mode}), asked at ${localTime(cis.checked_at)}`],
    ['', clean(cis.detail ?? '') || null],
    ['Clock', clockText(clock)],
    ['Devices', `${devices.total}, of which ${devices.without_isu} without an ISU number`],
    ['fiskd', `${status.version}, ${status.role}, up ${duration(status.uptime_s)}`],
    ['Checked', localTime(status.checked_at)],
  ])
}

function clockText({ trusted, synchronised, detail }: Status['clock']): string {
  if (!trusted) return clean(`NOT relied on: ${detail}. Sales go on.`)
  return synchronised ? 'right, by a time server' : 'right, as far as anybody can tell'
}

async function companies(all: StatusCompany[]): Promise<string> {
  const worstFirst = [...all].sort((a, b) => trouble(b) - trouble(a))
  const shown = worstFirst.slice(0, MOST_COMPANIES)
  const drawn = await table(
    [
      { head: 'Company' },
      { head: 'OIB', width: 11 },
      { head: 'Mode', width: 4 },
      { head: 'Status', width: 9 },
      { head: 'Certificate', width: 20 },
    ],
    shown.map((company) => [company.name, company.oib, company.mode, company.status, certificate(company)]),
  )
  return drawn + more(all.length - shown.length)
}

function trouble(company: StatusCompany): number {
  return (company.certificate_status === 'valid' ? 0 : 1) + (company.status === 'active' ? 0 : 1)
}

function certificate({ certificate_status, certificate_days_left }: StatusCompany): string {
  return certificate_days_left === null ? certificate_status : `${certificate_status}, ${certificate_days_left} days`
}

function more(count: number): string {
  return count > 0 ? `  and ${count} more: fisk status --json\n` : ''
}
