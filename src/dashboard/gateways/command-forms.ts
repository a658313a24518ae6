import type { CertificateToSend } from '../../fiscal/gateways/queue-commands.ts'
import type { CommandType } from '../../fiscal/ports/gateway-commands.ts'
import type { JsonObject, Role } from '../../fiscal/ports/model.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import type { PageContext } from '../page-routes.ts'
import type { GatewayTexts } from './texts.ts'

/** A command that the page of a gateway offers; commands about one device are on the page of the device. */
export interface CommandForm {
  name: 'doctor' | 'support_bundle' | 'retry' | 'copy' | 'certificate' | 'key'
  type: CommandType
  role: Role
}

export const COMMAND_FORMS: readonly CommandForm[] = [
  { name: 'doctor', type: 'doctor', role: 'operator' },
  { name: 'support_bundle', type: 'support_bundle', role: 'operator' },
  { name: 'retry', type: 'invoice.retry', role: 'operator' },
  { name: 'copy', type: 'receipt.copy', role: 'operator' },
  { name: 'certificate', type: 'certificate.add', role: 'admin' },
  { name: 'key', type: 'api_key.revoke', role: 'admin' },
]

type Wanted =
  | { command: { type: string; body: JsonObject } }
  | { certificate: CertificateToSend }
  | { errors: Record<string, string> }

/** What the form of a command says, or what is wrong with it, by field. */
export function readCommand({ name, type }: CommandForm, { form, files }: PageContext, t: GatewayTexts): Wanted {
  const given = (field: string) => (form[field] ?? '').trim()
  if (name === 'doctor' || name === 'support_bundle') return { command: { type, body: {} } }
  if (name === 'retry' || name === 'copy') {
    const invoice_id = given('invoice_id')
    if (!INVOICE_ID.test(invoice_id)) return { errors: { invoice_id: t.wrongInvoice } }
    return { command: { type, body: { invoice_id } } }
  }
  if (name === 'key') {
    const id = given('id').toLowerCase()
    return UUID.test(id) ? { command: { type, body: { id } } } : { errors: { id: t.wrongKey } }
  }
  const { file } = files
  const companyId = given('company_id')
  const errors = {
    ...(!UUID.test(companyId) && { company_id: t.wrongCompany }),
    ...((file === undefined || file.bytes.length === 0) && { file: t.fileMissing }),
  }
  if (file === undefined || Object.keys(errors).length > 0) return { errors }
  return {
    certificate: { companyId, file: file.bytes, passphrase: form.passphrase ?? '', label: given('label') || null },
  }
}
