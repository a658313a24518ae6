import { Option } from 'commander'
import {
  AcceptedInvoiceSchema,
  type AcceptedInvoiceView,
  GatewayCompaniesSchema,
  GatewayDetailsSchema,
  GatewayList,
  type GatewayView,
  NewGatewaySchema,
  type NewGatewayView,
  RevokedGatewaySchema,
  type RevokedGatewayView,
} from '../../contract/admin/gateways.ts'
import type { Command, Flags } from '../command.ts'
import { consent, yesOption } from '../consent.ts'
import { type ListOptions, type Rows, showPage } from '../daemon/lists.ts'
import { wrongUse } from '../failure.ts'
import type { Session } from '../session.ts'
import { clean, fields, paragraph } from '../text/columns.ts'
import { columnsOf, csvOption } from '../text/csv.ts'
import { gatewaysText, gatewayText, isAmiss } from '../text/gateway-text.ts'
import { localTime } from '../text/times.ts'
import * as commands from './gateway/commands.ts'
import * as send from './gateway/send.ts'

export function register(program: Command, session: Session): void {
  const gateway = program.command('gateway').description('The gateways of this central server')
  gateway
    .subcommand('add', 'Make a gateway, and the token that its machine enrols with.')
    .argument('<name>', 'letters, digits, dots, hyphens')
    .option('--again', 'a new token for a gateway that exists: its machine or card was replaced')
    .examples('fisk gateway add kiosk-7', 'fisk gateway add kiosk-7 --again')
    .action((name: string, { again }: { again?: true }) =>
      session.ask(
        (client) => client.post('/admin/gateways', NewGatewaySchema, { name, ...(again && { again }) }),
        (one) => addedText(one, again === true),
      ),
    )
  gateway
    .subcommand('list', 'List gateways and how they are. Ends with 1 when one is silent or duplicated.')
    .addOption(csvOption())
    .examples('fisk gateway list')
    .action(async ({ csv }: ListOptions) => {
      const gateways = await (await session.client()).get('/admin/gateways', GatewayList)
      await showPage(session, gateways, ROWS, csv)
      if (gateways.data.some(isAmiss)) session.exitCode = 1
    })
  gateway
    .subcommand('show', 'Show how a gateway is. Ends with 1 when it is silent or duplicated.')
    .argument('<name>', 'its name or id')
    .examples('fisk gateway show kiosk-7')
    .action((name: string) =>
      session.ask(
        (client) => client.get(pathOf(name), GatewayDetailsSchema),
        (one, screen) => gatewayText(one, new Date().toISOString(), screen),
        (one) => !isAmiss(one),
      ),
    )
  gateway
    .subcommand('set', 'Say which companies a gateway may sell for. Premises that it holds of others are free then.')
    .argument('<name>', 'its name or id')
    .addOption(new Option('--company <oib...>', 'these, and no other').conflicts('anyCompany'))
    .option('--any-company', 'every company of its tenant, as at first')
    .addOption(yesOption())
    .examples('fisk gateway set kiosk-7 --company 02994650199')
    .action((name: string, options: SetOptions) => setGateway(name, options, session))
  gateway
    .subcommand('revoke', 'Refuse a gateway from its next request on. What it has told stays.')
    .argument('<name>', 'its name or id')
    .option('--release', 'let others sell at its premises: only when it sells no more')
    .addOption(yesOption())
    .examples('fisk gateway revoke kiosk-7 --yes')
    .action(async (name: string, { release, yes }: Flags<'release' | 'yes'>) => {
      const also = release ? ' Its premises are given to whoever asks next: is it switched off for good?' : ''
      await consent(session, yes, `Refuse the gateway ${clean(name)} from now on?${also}`)
      const body = { ...(release && { release }) }
      await session.ask((client) => client.post(`${pathOf(name)}/revoke`, RevokedGatewaySchema, body), revokedText)
    })
  gateway
    .subcommand('accept', 'Store an invoice that was refused because its number is out of reach.')
    .argument('<name>', 'name or id of the gateway')
    .argument('<invoice>', 'id of the invoice, as fisk gateway show tells it')
    .option('--follow', 'go on above its number from now on, here and on the next card; this cannot be taken back')
    .examples('fisk gateway accept kiosk-7 inv_01K5ZN3V8Q2M4R6T8W0Y2A4C6E')
    .action((name: string, invoice: string, { follow }: { follow?: true }) => {
      const body = { invoice_id: invoice, ...(follow && { follow }) }
      return session.ask((client) => client.post(`${pathOf(name)}/accept`, AcceptedInvoiceSchema, body), acceptedText)
    })
  send.register(gateway, session)
  commands.register(gateway, session)
}

const ROWS: Rows<GatewayView> = {
  none: 'There is no gateway yet: make one with fisk gateway add NAME.',
  head: () => '',
  rows: (data, screen) => gatewaysText(data, new Date().toISOString(), screen),
  sheet: {
    ...columnsOf('id', 'name', 'state', 'version', 'last_seen_at'),
    can_sell: ({ heartbeat }) => heartbeat?.can_sell,
    pending: ({ heartbeat }) => heartbeat?.queue.pending,
    retrying: ({ heartbeat }) => heartbeat?.queue.retrying,
    failed: ({ heartbeat }) => heartbeat?.queue.failed,
    waiting: ({ heartbeat }) => heartbeat?.outbox.waiting,
    refused: ({ refused }) => refused,
    last_jir_at: ({ heartbeat }) => heartbeat?.last_jir_at,
    enrolled_at: ({ enrolled_at }) => enrolled_at,
  },
}

const pathOf = (name: string) => `/admin/gateways/${encodeURIComponent(name)}`

function addedText({ name, token, token_expires_at }: NewGatewayView, again: boolean): string {
  const about = fields([
    ['gateway', clean(name)],
    ['good until', localTime(token_expires_at)],
  ])
  const old = again
    ? '\nOn a new machine or card in its place:\n  sudo fisk replace https://SERVER:8443 TOKEN\n' +
      '\nFrom then on the machine that it had before is refused.\n'
    : ''
  return `Token, shown only now, for one machine:\n\n  ${token}\n\n${about}
On that machine, with the address of this server:\n  sudo fisk sync enroll https://SERVER:8443 TOKEN\n${old}`
}

interface SetOptions extends Flags<'anyCompany' | 'yes'> {
  company?: string[]
}

async function setGateway(name: string, { company, anyCompany, yes }: SetOptions, session: Session): Promise<void> {
  if (!company && !anyCompany) throw wrongUse('company', 'Say --company OIB, or --any-company.')
  if (company) {
    const question = `Keep the gateway ${clean(name)} to ${company.map(clean).join(', ')}? It loses all other premises.`
    await consent(session, yes, question)
  }
  await session.ask(
    (client) => client.patch(pathOf(name), GatewayCompaniesSchema, { companies: company ?? null }),
    (one) =>
      fields([
        ['gateway', clean(one.name)],
        ['sells for', one.companies === null ? 'every company of its tenant' : one.companies.join(', ')],
      ]),
  )
}

function revokedText({ name, revoked_at, released }: RevokedGatewayView): string {
  const about = fields([
    ['gateway', clean(name)],
    ['revoked', localTime(revoked_at)],
    ['premises', released ? 'free for others' : 'still its own; --release frees them'],
  ])
  return `${about}\nIt sells on by itself, and the server takes nothing from it.\n`
}

function acceptedText({ name, invoice_id: invoice, follow }: AcceptedInvoiceView): string {
  const counting = follow ? 'Counting follows its number then.' : 'Counting stays where it is; --follow would move it.'
  return (
    paragraph('', `Accepted the invoice ${clean(invoice)} of ${clean(name)}. ${counting}`) +
    paragraph('', 'It is stored when the gateway tells of it again: within a day, or on its machine: fisk sync now')
  )
}
