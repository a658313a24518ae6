import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import { type Answer, type Call, call } from './call.ts'
import { told } from './central-server.ts'
import { type Commanded, startCommanded } from './commanded.ts'
import { dashboardOf, type PageAnswer } from './dashboard.ts'
import type { Gateway, InvoiceBody } from './gateway.ts'

/** For a server that shows receipts to customers; the address is what links say, and is not asked. */
export const SHOWS_RECEIPTS = {
  FISKD_RECEIPTS_URL: 'https://racun.example.hr',
  FISKD_RECEIPTS_LISTEN: '127.0.0.1:0',
}
export const RECEIPTS_ENV = { FISKD_ROLE: 'server', ...SHOWS_RECEIPTS }

export type Linked = InvoiceBody & { receipt_url?: string }

/** The page of a receipt, as a phone opens it. @param link as the machine shows it, or a path */
export function opened(
  server: Pick<Gateway, 'receiptsUrl' | 'dataDir'>,
  link: string | undefined,
  options: Omit<Call, 'path'> = {},
): Promise<Answer<string>> {
  const ca = readFileSync(join(server.dataDir, 'tls', 'ca.pem'), 'utf8')
  const path = (link ?? '').replace(SHOWS_RECEIPTS.FISKD_RECEIPTS_URL, '')
  return call<string>({ base: server.receiptsUrl, ca }, { path, ...options })
}

export const setCompany = async (at: Gateway, fiscal_config: object, more: object = {}) => {
  const body = { fiscal_config, ...more }
  const set = await at.admin(`/v1/companies/${at.companyId}`, { method: 'PATCH', body })
  if (set.status !== 200) throw new Error(set.text)
}

/** A server that shows receipts, and a gateway whose sales answer with links. @param env of both */
export async function startLinked(env: Record<string, string> = {}, logTo?: DestinationStream): Promise<Commanded> {
  const kiosk = { FISKD_ROLE: 'gateway', ...env }
  const commanded = await startCommanded({ server: { ...RECEIPTS_ENV, ...env }, kiosk }, logTo)
  await setCompany(commanded.kiosk, { receipt_link: 'on' })
  // What ends a poll tells the gateway what makes links, too.
  await commanded.done('doctor')
  return commanded
}

/** A sale with a link that the server knows of. */
export async function soldAndTold(kiosk: Gateway, sale?: object): Promise<Linked> {
  const sold: Linked = await kiosk.sell(sale)
  await told(kiosk)
  return sold
}

/** What everybody who must learn nothing gets: the same bytes and headers, but for the date. */
export function nothingIn({ status, headers, text }: Answer<string>) {
  const { date: _date, ...rest } = headers
  return { status, headers: rest, text }
}

export const statusOf = async ({ server }: Pick<Commanded, 'server'>, link: string | undefined): Promise<number> =>
  (await opened(server, link)).status

/** Somebody at the office withdraws. @param path of the page that has the button @returns the page after it */
export async function withdrawn({ server }: Commanded, path: string, action: string): Promise<PageAnswer> {
  const visitor = await dashboardOf(server).as('operator')
  const sent = await visitor.submit(path, {}, `${path}/${action}`)
  if (sent.status !== 303) throw new Error(sent.words)
  return visitor.get(path)
}
