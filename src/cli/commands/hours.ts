import {
  AuthorityRequestSchema,
  HoursSchema,
  type HoursView,
  JobSchema,
  type JobView,
} from '../../contract/admin/authority-requests.ts'
import { exceptionsIn, hoursLines } from '../../domain/hours/hours-text.ts'
import type { Command, Given } from '../command.ts'
import { askAuthority } from '../daemon/by-gateway.ts'
import type { Client } from '../daemon/client.ts'
import { companyId, deviceNamed } from '../daemon/references.ts'
import { wrongUse } from '../failure.ts'
import { readInput } from '../files.ts'
import { several } from '../options.ts'
import { during, whenOver } from '../progress.ts'
import type { Session } from '../session.ts'
import { fields } from '../text/columns.ts'
import { requestText } from '../text/request-text.ts'

interface PlaceOptions {
  company?: string
  premises?: string
}

interface SetOptions extends PlaceOptions, Given<'from' | 'hours' | 'note' | 'file'> {
  exception?: string[]
}

interface RemoveOptions extends PlaceOptions {
  from?: string[]
  exception?: string[]
}

export function register(program: Command, session: Session): void {
  const hours = program.subcommand('hours', 'Working hours that the tax authority has of machines and premises')
  const at = (name: string, text: string) =>
    hours
      .command(name)
      .description(text)
      .argument('[device]', 'label or id')
      .option('--company <oib-or-id>', 'with --premises: the company')
      .option('--premises <code>', 'a premises instead of a machine, by its code')
  at('show', 'Show the working hours that the tax authority has.')
    .examples('fisk hours show "Lobby 1"')
    .action((device: string | undefined, options: PlaceOptions) => show(device, options, session))
  at('set', 'Register working hours, of a machine or of many by a file. Exit code 1 unless it was done.')
    .option('--from <date>', 'the day from which regular hours count')
    .option('--hours <hours>', 'such as "mon-fri 08:00-20:00; holidays 09:00-12:00" or "daily 00:00-24:00"')
    .option('--note <text>', 'a note about the regular hours')
    .option('--exception <day-and-hours>', 'such as "2026-12-24 08:00-12:00"; may be repeated', several)
    .option('--file <csv>', 'of many machines: a file with the columns label, from, hours, note, exceptions')
    .examples(
      'fisk hours set "Lobby 1" --from 2026-12-01 --hours "daily 00:00-24:00"',
      'fisk hours set "Lobby 1" --exception "2026-12-24 08:00-12:00"',
      'fisk hours set --file hours.csv',
    )
    .action((device: string | undefined, options: SetOptions) => set(device, options, session))
  at('remove', 'Delete working hours that are not in force yet. Exit code 1 unless it was done.')
    .option('--from <date>', 'regular hours that count from this day; may be repeated', several)
    .option('--exception <date>', 'the exception of this day; may be repeated', several)
    .examples('fisk hours remove "Lobby 1" --from 2026-12-01')
    .action((device: string | undefined, options: RemoveOptions) => remove(device, options, session))
}

async function placeOf(session: Session, device: string | undefined, { company, premises }: PlaceOptions) {
  const client = await session.client()
  if (device !== undefined && premises === undefined) return { device_id: (await deviceNamed(client, device)).id }
  if (device !== undefined || premises === undefined || company === undefined)
    throw wrongUse('device', 'Name a machine, or a premises with --company and --premises.')
  return { company_id: companyId(company), premises_code: premises }
}

async function show(device: string | undefined, options: PlaceOptions, session: Session): Promise<void> {
  const place = await placeOf(session, device, options)
  const path = `/admin/hours?${new URLSearchParams(place)}`
  const ask = (client: Client) => client.get(path, HoursSchema)
  await askAuthority(session, place, { type: 'hours.show', body: place }, ask, hoursText)
}

async function set(device: string | undefined, options: SetOptions, session: Session): Promise<void> {
  const { from, hours, note, exception = [], file } = options
  if (file !== undefined) return setFile(await session.client(), file, session)
  if ((from === undefined) !== (hours === undefined)) throw wrongUse('hours', '--from and --hours go together.')
  const regular =
    from === undefined || hours === undefined ? [] : [{ from, hours, ...(note !== undefined && { note }) }]
  await send('hours.set', '/admin/hours', await placeOf(session, device, options), session, {
    regular,
    exceptions: exceptionsIn(exception),
  })
}

async function remove(device: string | undefined, options: RemoveOptions, session: Session): Promise<void> {
  const { from = [], exception = [] } = options
  const place = await placeOf(session, device, options)
  await send('hours.remove', '/admin/hours/remove', place, session, { regular: from, exceptions: exception })
}

async function send(type: string, path: string, place: Record<string, string>, session: Session, what: object) {
  const body = { ...place, ...what }
  const ask = (client: Client) => client.post(path, AuthorityRequestSchema, body)
  await askAuthority(session, place, { type, body }, ask, requestText)
}

const LOOK_MS = 1000

/** The daemon does it in the background, also when this command ends before. */
async function setFile(client: Client, path: string, session: Session): Promise<void> {
  const file = await readInput('file', path)
  const begun = await client.post('/admin/hours/file', JobSchema, { file: file.toString('utf8') })
  const look = () => client.get(`/admin/jobs/${begun.id}`, JobSchema)
  const ending = whenOver(begun, ({ ended_at }) => ended_at === null, look, LOOK_MS)
  const job = await during(session, 'Sending the hours of all machines', ending)
  await session.show(job, jobText, ({ refused }) => refused === 0)
}

function jobText({ id, total, done, unchanged, refused, refusals }: JobView): string {
  const counts = Object.entries({ machines: total, done, unchanged, refused })
  return fields([
    ['job', id],
    ...counts.map(([name, count]): [string, string] => [name, String(count)]),
    ...refusals.map(({ label, message }): [string, string] => [label, message]),
  ])
}

function hoursText({ state, code, message, ...hours }: HoursView): string {
  if (state !== 'done') return fields([['answer', [code, message].filter(Boolean).join(': ')]])
  return hoursLines(hours).join('\n')
}
