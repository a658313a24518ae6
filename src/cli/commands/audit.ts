import { AuditEntrySchema, type AuditEntryView } from '../../contract/admin/access.ts'
import type { Command } from '../command.ts'
import { type PageOptions, pageOptions, type Rows, showPages } from '../daemon/lists.ts'
import type { Session } from '../session.ts'
import { clean, columns, paragraph, shorten } from '../text/columns.ts'
import { columnsOf } from '../text/csv.ts'
import type { Screen } from '../text/screen.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  program
    .subcommand('audit', 'Show who changed what, who signed in, and who read across tenants. Newest first.')
    .examples('fisk audit --limit 10', 'fisk audit --all --json > audit.json')
    .action((options: PageOptions) => showPages(session, '/admin/audit', AuditEntrySchema, {}, options, ROWS))
    .with(pageOptions())
}

const ROWS: Rows<AuditEntryView> = {
  head: () => '',
  rows: (data, screen) => data.map((entry) => entryText(entry, screen)).join(''),
  none: 'Nothing yet.',
  sheet: {
    ...columnsOf('at', 'action', 'actor'),
    detail: ({ detail }) => JSON.stringify(detail),
  },
}

/** As long as the longest action: then there is just room for the whole id of a key or a user. */
const WHAT_COLUMNS = 22

/** When, what and who in one line, and with what under it: details are longer than a column of a table. */
function entryText({ at, action, actor, detail }: AuditEntryView, screen: Screen): string {
  const what = shorten(action, WHAT_COLUMNS).padEnd(WHAT_COLUMNS)
  const head = `${localTime(at)} ${what} `
  const told = Object.entries(detail).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  const text = told.map(detailText).join(', ')
  return `${head}${shorten(actor, screen.columns - columns(head))}\n${paragraph('    ', text, screen)}`
}

function detailText([name, value]: [string, unknown]): string {
  if (name === 'changed') return changedText(value as Record<string, FieldChange>)
  return `${name} ${valueText(value)}`
}

type FieldChange = { from?: unknown; to?: unknown }

/** `status active -> suspended, device_config changed`: the values of long fields are not written down. */
function changedText(fields: Record<string, FieldChange>): string {
  return Object.entries(fields)
    .map(([name, { from, to }]) =>
      from === undefined ? `${name} changed` : `${name} ${valueText(from)} -> ${valueText(to)}`,
    )
    .join(', ')
}

function valueText(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value)) return value.map(valueText).join(' ')
  if (typeof value === 'object') return Object.values(value).map(valueText).join(' ')
  return clean(String(value))
}
