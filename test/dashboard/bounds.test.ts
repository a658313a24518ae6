import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { DASHBOARD_BOUNDS } from '../../src/dashboard/bounds.ts'
import { readTyped } from '../../src/dashboard/settings/field-values.ts'
import { FIELDS } from '../../src/dashboard/settings/fields.ts'
import { type Bring, TAKEN, testBounds } from '../support/bounds.ts'
import { call } from '../support/call.ts'
import { type Office, type PageAnswer, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { OIBS } from '../support/pki.ts'
import { rowCounts } from '../support/row-counts.ts'

let office: Office
let admin: Visitor
beforeAll(async () => {
  office = await startSharedDashboard({ RATE_LIMIT_ENABLED: 'false' })
  admin = await office.as('admin')
})

let views = 0
const x = (count: number) => 'x'.repeat(count)
const PASSWORD = 'a long test password'
const ACCOUNT = '/dashboard/account'
const WHERE: Record<number, string> = {
  400: 'on a page',
  413: 'on a page',
  414: 'without a page',
  422: 'beside the field',
}
const said = ({ status }: Pick<PageAnswer, 'status'>) => (status < 400 ? TAKEN : `${status} ${WHERE[status]}`)

/** As a browser sends it, so that it has exactly so many bytes. */
function padded(fields: Record<string, string>, bytes: number): Record<string, string> {
  const without = new URLSearchParams({ ...fields, pad: '' }).toString().length
  return { ...fields, pad: x(bytes - without) }
}

/** The form of a page with what somebody typed into it. */
async function filled(page: string, action: string, typed: Record<string, string>): Promise<Record<string, string>> {
  return { ...(await admin.get(page)).hidden(action), ...typed }
}

const account = () => filled(ACCOUNT, ACCOUNT, { language: 'hr', email: '' })

/** An upload that is refused only for what else is wrong with it, which 422 says. */
async function uploaded(fields: Record<string, string | Blob>, path: string): Promise<string> {
  const { _csrf = '', _form = '' } = await account()
  const answer = await admin.post(path, { _csrf, _form, ...fields })
  return answer.status === 422 ? TAKEN : said(answer)
}

const file = (bytes: number) => new File([new Uint8Array(bytes)], 'a.bin')
const certificatePath = () => `/dashboard/companies/${office.companyId}/certificate`
const PREVIEW = '/dashboard/devices/import/preview'

/** Says whether a page of the company refuses this field. */
async function certificate(fields: Record<string, string | Blob>, field: string): Promise<string> {
  const page = `/dashboard/companies/${office.companyId}`
  const answer = await admin.submit(page, { file: file(1), passphrase: 'x', ...fields }, certificatePath())
  return answer.status === 422 && !isWrong(answer, field) ? TAKEN : said(answer)
}

/** Whether a field of a page has been marked as wrong. */
function isWrong({ text }: PageAnswer, field: string): boolean {
  return new RegExp(`<input[^>]* name="${field}"[^>]* aria-invalid="true"`).test(text)
}

async function signedIn(body: object): Promise<string> {
  const ca = readFileSync(join(office.dataDir, 'tls', 'ca.pem'), 'utf8')
  const target = { base: office.url, ca }
  const answer = await call<{ error?: { code: string } }>(target, { path: '/dashboard/session', body })
  // A name or a password that nobody has is read, too.
  return answer.status === 401 || answer.status === 201 ? TAKEN : `${answer.status} ${answer.body.error?.code}`
}

async function company(changes: Record<string, string>): Promise<string> {
  const page = `/dashboard/companies/${office.companyId}/edit`
  return said(await admin.submit(page, { name: 'Tvrtka', vat: 'yes', ...changes }))
}

async function noted(fields: Record<string, string>): Promise<string> {
  const page = `/dashboard/devices/${office.deviceId}`
  return said(await admin.submit(page, fields, `${page}/note`))
}

async function tagged(tags: string): Promise<string> {
  const page = `/dashboard/devices/${office.deviceId}`
  return said(await admin.submit(page, { tags }, `${page}/tags`))
}

async function viewed(changes: Record<string, string>): Promise<string> {
  const view = { list: 'devices', name: 'x', query: 'q=x', ...changes }
  return said(await admin.submit(`/dashboard/views?list=devices&query=q%3D${randomUUID()}`, view, '/dashboard/views'))
}

async function newUser(changes: Record<string, string>): Promise<string> {
  const user = { name: `user-${OIBS[0]}`, password: PASSWORD, role: 'viewer', language: 'hr', ...changes }
  return said(await admin.submit('/dashboard/users/new', user, '/dashboard/users'))
}

/** A setting as it is typed; the page says what is wrong with it. */
async function typed(key: string, text: string): Promise<string> {
  const field = FIELDS.find((one) => one.key === key)
  return field && 'fault' in readTyped(field, text) ? '422 beside the field' : TAKEN
}

const cases: Record<keyof typeof DASHBOARD_BOUNDS, Bring> = {
  form: async (bytes) => said(await admin.post(ACCOUNT, padded(await account(), bytes))),
  async signInForm(bytes) {
    const { name, password } = admin
    return said(await office.browser().post('/dashboard/sign-in', padded({ name, password }, bytes)))
  },
  async strangersForm(bytes) {
    const { text } = await office.browser().post('/dashboard/devices/import', padded({}, bytes))
    return text.includes(x(1000)) ? TAKEN : '401 before it is read'
  },
  smallForm: async (bytes) => said(await office.browser().post('/dashboard/look', padded({ theme: 'dark' }, bytes))),
  async fields(count) {
    const fields = await account()
    const more = count - Object.keys(fields).length
    return said(
      await admin.post(ACCOUNT, {
        ...fields,
        ...Object.fromEntries(Array.from({ length: more }, (_, i) => [`f${i}`, ''])),
      }),
    )
  },
  uploadText: (bytes) => uploaded({ file: file(1), label: x(bytes) }, certificatePath()),
  uploadTexts: (count) =>
    uploaded(
      { file: file(1), ...Object.fromEntries(Array.from({ length: count - 2 }, (_, i) => [`f${i}`, ''])) },
      certificatePath(),
    ),
  uploadFiles: (count) =>
    uploaded(Object.fromEntries(Array.from({ length: count }, (_, i) => [`file${i || ''}`, file(1)])), PREVIEW),
  strayFile: async (bytes) => said(await admin.post(ACCOUNT, { ...(await account()), file: file(bytes) })),
  certificateFile: (bytes) => certificateOfSize(bytes),
  certificateFileRead: (bytes) => uploaded({ file: file(bytes) }, certificatePath()),
  importFile: async (bytes) => {
    const csv = new File([`${'label,premises_code,note\nm,P1,'.padEnd(bytes - 1, 'x')}\n`], 'a.csv')
    return said(await admin.submit('/dashboard/devices/import', { company: office.companyId, file: csv }, PREVIEW))
  },
  importFileRead: (bytes) => uploaded({ file: file(bytes) }, PREVIEW),
  logoFileRead: (bytes) => uploaded({ logo: file(bytes) }, `/dashboard/companies/${office.companyId}/logo`),
  async report(bytes) {
    const ca = readFileSync(join(office.dataDir, 'tls', 'ca.pem'), 'utf8')
    return said(
      await call(
        { base: office.url, ca },
        {
          path: '/dashboard/csp-report',
          body: '{}'.padEnd(bytes),
          headers: { 'content-type': 'application/csp-report' },
        },
      ),
    )
  },
  async pathText(length) {
    const answer = await admin.get(`/dashboard/invoices/${x(length)}`)
    return answer.status === 404 ? TAKEN : said(answer)
  },

  signInName: (length) => signedIn({ name: x(length), password: 'x' }),
  signInPassword: (length) => signedIn({ name: 'x', password: x(length) }),
  code: (length) => signedIn({ name: admin.name, password: admin.password, code: x(length) }),
  userName: (length) => newUser({ name: x(length) }),
  password: (length) => newUser({ password: x(length) }),
  brandName: async (length) => said(await admin.submit('/dashboard/settings', { name: x(length) })),
  companyName: (length) => company({ name: x(length) }),
  seat: (length) => company({ street: x(length) }),
  tags: (count) => tagged(Array.from({ length: count }, (_, i) => `g${i}`).join(',')),
  tag: (length) => tagged(x(length)),
  note: (length) => noted({ note: x(length) }),
  contact: (length) => noted({ contact: x(length) }),
  async views(count) {
    let last = ''
    for (; views < count; views++) last = await viewed({ list: 'invoices', name: `v${views}` })
    return last
  },
  viewName: (length) => viewed({ name: x(length) }),
  viewQuery: (length) => viewed({ query: `q=${x(length - 2)}` }),
  certificateLabel: (length) => certificate({ label: x(length) }, 'label'),
  paperLines: (lines) => typed('receipt.header', Array.from({ length: lines }, () => 'x').join('\n')),
  paperLine: (length) => typed('receipt.header', x(length)),
  taxName: (length) => typed('fees', `${x(length)}; 0,10`),
  specialPurpose: (length) => typed('special_purpose', x(length)),
  paragonNumber: (length) => typed('paragon_number', x(length)),
}

/** Larger than any certificate is another reason than being none. */
async function certificateOfSize(bytes: number): Promise<string> {
  const page = `/dashboard/companies/${office.companyId}`
  const answer = await admin.submit(page, { file: file(bytes), passphrase: 'x' }, certificatePath())
  return answer.words.includes('veća od 256 KB') ? said(answer) : TAKEN
}

testBounds(DASHBOARD_BOUNDS, cases, () => rowCounts(office))
