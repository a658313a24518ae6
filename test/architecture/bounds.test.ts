import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ADMIN_BOUNDS } from '../../src/api/admin/bounds.ts'
import { CERTIFICATE_BOUNDS } from '../../src/certificates/bounds.ts'
import { CIS_BOUNDS } from '../../src/cis/bounds.ts'
import { API_BOUNDS } from '../../src/contract/v1/bounds.ts'
import { LISTENER_BOUNDS } from '../../src/daemon/http/listener-limits.ts'
import { DASHBOARD_BOUNDS } from '../../src/dashboard/bounds.ts'
import type { Bound } from '../../src/domain/bound.ts'
import { SCHEDULE_BOUNDS } from '../../src/fiscal/closings/closing-schedules.ts'
import { JOB_BOUNDS } from '../../src/fiscal/jobs/jobs.ts'
import { OFFICE_MAIL_BOUNDS } from '../../src/fiscal/mail/office-mail.ts'
import { RECEIPT_PAGE_BOUNDS } from '../../src/receipt-pages/bounds.ts'
import { RECEIPT_BOUNDS } from '../../src/receipts/bounds.ts'
import { SYNC_ANSWER_BOUNDS, SYNC_BOUNDS } from '../../src/sync/wire/bounds.ts'

const RECORD_REFUSED = 'the record is refused'
const syncBounds = (wanted: (beyond: string) => boolean): Record<string, Bound> =>
  Object.fromEntries(Object.entries<Bound>(SYNC_BOUNDS).filter(([, { beyond }]) => wanted(beyond)))

/** The tables by the headings that SECURITY.md has for them. */
const BORDERS: Record<string, Record<string, Bound>> = {
  Connections: LISTENER_BOUNDS,
  '`/v1`: firmware and programs': API_BOUNDS,
  'The admin socket': ADMIN_BOUNDS,
  'The dashboard': DASHBOARD_BOUNDS,
  'Receipts for customers': RECEIPT_PAGE_BOUNDS,
  'Mails that people and schedules ask for': { ...OFFICE_MAIL_BOUNDS, ...SCHEDULE_BOUNDS },
  'Bulk jobs': JOB_BOUNDS,
  'The tax authority': CIS_BOUNDS,
  'PKCS#12 files and chains': CERTIFICATE_BOUNDS,
  'Printers and receipts': RECEIPT_BOUNDS,
  'A central server: what gateways send': syncBounds((beyond) => !beyond.startsWith(RECORD_REFUSED)),
  'A central server: records in what gateways send': syncBounds((beyond) => beyond.startsWith(RECORD_REFUSED)),
  'A gateway: what its central server answers': SYNC_ANSWER_BOUNDS,
}

/** What most rows of a table say: it stands in the heading of the column, and their last cell is left out. */
function mostFrequent(answers: string[]): string {
  const count = (answer: string) => answers.filter((one) => one === answer).length
  return answers.reduce((most, answer) => (count(answer) > count(most) ? answer : most))
}

function tableOf([heading, bounds]: [string, Record<string, Bound>]): string {
  const usual = mostFrequent(Object.values(bounds).map(({ beyond }) => beyond))
  const rowOf = ({ of, most, beyond }: Bound) =>
    `| ${of} | ${most.toLocaleString('en-US')} |${beyond === usual ? '' : ` ${beyond} |`}`
  const head = [`| of | most | beyond (where empty: ${usual}) |`, '|---|---|---|']
  return [`### ${heading}`, '', ...head, ...Object.values(bounds).map(rowOf), ''].join('\n')
}

test('the tables of SECURITY.md are those of the code; what a failure shows as expected goes into it', () => {
  const document = readFileSync(join(import.meta.dirname, '../../SECURITY.md'), 'utf8')
  const [, section = ''] = document.split('\n## Bounds\n')
  const tables = section.slice(section.indexOf('###'))
  expect(tables).toBe(Object.entries(BORDERS).map(tableOf).join('\n'))
})
