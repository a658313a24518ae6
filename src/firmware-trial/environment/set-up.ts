import { exchange } from './exchange.ts'

export type Admin = ReturnType<typeof adminAt>

/** @throws Error with the answer when fiskd refuses */
export function adminAt(socketPath: string) {
  const call = async (method: string, path: string, body?: object | FormData) => {
    const { bytes, type } = await encoded(body)
    const headers = bytes && { 'content-type': type, 'content-length': String(bytes.length) }
    const reply = await exchange({ socketPath, method, path, ...(headers && { headers }) }, bytes)
    const text = reply.body.toString('utf8')
    if (reply.status >= 300) throw new Error(`fiskd refused ${method} ${path}: ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: object | FormData) => call('POST', path, body),
    patch: (path: string, body: object) => call('PATCH', path, body),
    remove: (path: string) => call('DELETE', path),
  }
}

async function encoded(body?: object | FormData): Promise<{ bytes?: Buffer; type: string }> {
  if (body === undefined) return { type: '' }
  if (!(body instanceof FormData)) return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' }
  const form = new Response(body)
  return { bytes: Buffer.from(await form.arrayBuffer()), type: String(form.headers.get('content-type')) }
}

export interface Certificate {
  p12: Buffer
  passphrase: string
}

/** Makes the company that sells in the trial. @returns its id */
export async function setUpCompany(admin: Admin, oib: string, { p12, passphrase }: Certificate): Promise<string> {
  const company = await admin.post('/v1/companies', {
    name: 'Firmware Trial',
    oib,
    fiscal_config: { default_vat_rate: '25.00', default_vat_base: 'taxable' },
  })
  const form = new FormData()
  form.set('company_id', String(company.id))
  form.set('file', new Blob([new Uint8Array(p12)]), 'trial.p12')
  form.set('passphrase', passphrase)
  await admin.post('/v1/certificates', form)
  return String(company.id)
}

export type Machine = Awaited<ReturnType<typeof setUpMachine>>

let machines = 0

/** A machine with a premises and an API key of its own, so that its sales are numbered from 1. */
export async function setUpMachine(admin: Admin, companyId: string) {
  machines++
  const device = await admin.post('/v1/devices', {
    company_id: companyId,
    premises_code: `TRIAL${machines}`,
    label: `trial ${machines}`,
    isu_number: String(1000 + machines),
  })
  const deviceId = String(device.id)
  return { deviceId, key: await keyOf(admin, deviceId) }
}

export async function keyOf(admin: Admin, deviceId: string): Promise<string> {
  const { key } = await admin.post('/admin/keys', { mode: 'test', device_id: deviceId })
  return String(key)
}
