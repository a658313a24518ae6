import type { CompanyView } from '../../contract/v1/fleet.ts'
import { fields } from './columns.ts'
import { inEnglish, type Screen } from './screen.ts'
import { localTime } from './times.ts'

export function companyText(company: CompanyView, screen: Screen): string {
  const { default_vat_rate: rate, receipt, ...others } = company.fiscal_config
  const { street, postal_code, city } = company.address
  const seat = [street, postal_code, city].filter((part) => typeof part === 'string' && part !== '').join(', ')
  const until = localTime(company.certificate_expires_at)
  return fields(
    [
      ['company', company.name],
      ['OIB', company.oib],
      ['id', company.id],
      ['seat', seat || null],
      ['mode', company.mode],
      ['VAT', company.vat_registered ? 'registered' : 'not registered'],
      ['VAT rate', typeof rate === 'string' ? `${rate} %` : null],
      ['receipt', receipt === undefined ? null : JSON.stringify(receipt)],
      ['config', Object.keys(others).length === 0 ? null : JSON.stringify(others)],
      ['certificate', until === null ? company.certificate_status : `${company.certificate_status}, until ${until}`],
      ['status', company.status],
    ],
    inEnglish(screen),
  )
}
