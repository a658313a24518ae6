import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { join } from 'node:path'
import type { AuthorityFacts } from './authority.ts'
import { ask, command, made, type Question, type Target } from './http.ts'
import type { Paper } from './paper.ts'

export const OIB = '02994650199'

export interface Machine {
  id: string
  premisesCode: string
}

/** One company with its machines, set up the way a technician does it, and the firmware's key. */
export interface Shop {
  companyId: string
  machines: Machine[]
  key: string
  target: Target
}

interface ShopOrder {
  dataDir: string
  /** The admin socket, where it is not in the data directory. */
  socketPath?: string
  base: string
  devices: number
  authority: Pick<AuthorityFacts, 'p12' | 'passphrase'>
  /** Where the machines print; they have no printers when left out. */
  paper?: Pick<Paper, 'lineOf' | 'settings'>
  /** How many machines other shops of the company have: premises, labels and ISU numbers go on behind theirs. */
  after?: number
  /** Whose machines they are; `OIB` when left out. The authority has issued its certificate. */
  oib?: string
  mode?: 'test' | 'live'
}

/** Sets up over the admin socket of a running daemon. Two machines stand at each premises and share its numbers. */
export async function setUpShop({ oib = OIB, mode = 'test', after = 0, ...order }: ShopOrder): Promise<Shop> {
  const { dataDir, base, devices, authority, paper } = order
  const { socketPath = join(dataDir, 'fiskd.sock') } = order
  const create = (path: string, body: object) => command(socketPath, 'POST', path, body)
  const change = (path: string, body: object) => command(socketPath, 'PATCH', path, body)
  const fiscal_config = { default_vat_rate: '25.00', default_vat_base: 'taxable' }
  const company = await create('/v1/companies', { name: 'Samoposluga d.o.o.', oib, fiscal_config })
  await uploadCertificate(socketPath, String(company.id), authority)
  if (mode === 'live') await change(`/v1/companies/${company.id}`, { mode })
  const machines: Machine[] = []
  for (let i = 0; i < devices; i++) {
    const premisesCode = `POSL${Math.ceil(after / 2) + Math.floor(i / 2) + 1}`
    const device = { company_id: company.id, premises_code: premisesCode, label: `Kavomat ${after + i + 1}` }
    const { id } = await create('/v1/devices', { ...device, isu_number: String(101 + after + i) })
    if (paper) {
      const { settings } = paper
      await change(`/admin/printers/${id}`, { line: paper.lineOf(i), ...(settings && { settings }) })
    }
    machines.push({ id: String(id), premisesCode })
  }
  const { key } = await create('/admin/keys', { mode })
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dataDir, 'tls', 'ca.pem')) })
  return { companyId: String(company.id), machines, key: String(key), target: { base, agent } }
}

/** Gives a company a certificate, over the admin socket. @throws Error with what was answered when that is no success */
export async function uploadCertificate(socketPath: string, companyId: string, file: ShopOrder['authority']) {
  return made(await ask({ socketPath }, await upload(companyId, file)))
}

async function upload(companyId: string, { p12, passphrase }: ShopOrder['authority']): Promise<Question> {
  const form = new FormData()
  form.set('company_id', companyId)
  form.set('file', new Blob([new Uint8Array(Buffer.from(p12, 'base64'))]), 'certificate.p12')
  form.set('passphrase', passphrase)
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return { method: 'POST', path: '/v1/certificates', headers, body: Buffer.from(await encoded.arrayBuffer()) }
}
