import { type Check, fine, warning } from '../../domain/check.ts'
import { receiptStyleProblems } from '../../domain/sale/receipt-style.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { alike, type Both } from '../../domain/texts/both.ts'
import type { Company, Device } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { HealthCheck } from './doctor.ts'

/** Whether printed receipts contain everything the law requires (docs/spec/printing.md, The law and a vending machine). */
export function receiptChecks(
  store: Pick<StoreTransaction, 'companies' | 'devices' | 'invoices' | 'printJobs' | 'printers'>,
): HealthCheck[] {
  return [{ name: { en: 'receipts', hr: 'ispisani računi' }, run: () => examine(store) }]
}

async function examine(
  store: Pick<StoreTransaction, 'companies' | 'devices' | 'invoices' | 'printJobs' | 'printers'>,
): Promise<Check[]> {
  const checks: Check[] = []
  for (const { deviceId } of await store.printers.all()) {
    const device = await store.devices.get(deviceId)
    const company = device && (await store.companies.get(device.companyId))
    if (!company) continue
    const name = { en: `receipt ${device.label}`, hr: `ispisani račun ${device.label}` }
    const found = [
      ...addressProblems(company, device),
      ...(await vatProblems(store, device)),
      ...styleProblems(company, device),
    ]
    if (found.length === 0)
      checks.push(fine(name, { en: 'it says what the law wants', hr: 'sadrži sve što zakon propisuje' }))
    for (const { problem, fix } of found) checks.push(warning(name, problem, fix))
  }
  return checks
}

interface Lack {
  problem: Both
  fix: Both
}

function addressProblems({ name, oib, address }: Company, { label, premisesAddress }: Device): Lack[] {
  const isWritten = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  const lacks: Lack[] = []
  if (!isWritten(address.street) || !isWritten(address.city)) {
    const fix = alike(`fisk company set ${oib} --street TEXT --postal-code CODE --city NAME`)
    lacks.push({ problem: { en: `it lacks the address of ${name}`, hr: `nema adrese tvrtke ${name}` }, fix })
  }
  if (!isWritten(premisesAddress)) {
    const fix = alike(`fisk device set ${shellWord(label)} --address TEXT`)
    lacks.push({
      problem: {
        en: `it lacks the place of sale: where ${label} stands`,
        hr: `nema mjesta prodaje: adresa na kojoj stoji ${label}`,
      },
      fix,
    })
  }
  return lacks
}

/** Checks the receipt that was queued last, because the firmware may send the VAT with each sale. */
async function vatProblems(store: Pick<StoreTransaction, 'invoices' | 'printJobs'>, { id }: Device): Promise<Lack[]> {
  const [last] = await store.printJobs.ofDevice(id, 1)
  const document = last && (await store.invoices.get(last.invoiceId))?.document
  if (!document?.vatRegistered || document.vat.length > 0) return []
  const { vatExemptAmount, marginAmount, nonTaxableAmount } = document
  if (vatExemptAmount ?? marginAmount ?? nonTaxableAmount) return []
  const fix = {
    en: 'set `default_vat_rate` in the fiscal_config of the company, or send `vat` with each sale',
    hr: 'postavite zadanu stopu PDV-a tvrtke (`default_vat_rate`) ili uz svaku prodaju pošaljite PDV (`vat`)',
  }
  return [
    {
      problem: {
        en: 'the last one said nothing about VAT, and the issuer is in the VAT system',
        hr: 'na posljednjem nema PDV-a, a tvrtka je u sustavu PDV-a',
      },
      fix,
    },
  ]
}

function styleProblems({ fiscalConfig }: Company, { deviceConfig }: Device): Lack[] {
  const wrong = [
    ...receiptStyleProblems(deviceConfig).map((problem) => `device_config.${problem}`),
    ...receiptStyleProblems(fiscalConfig).map((problem) => `fiscal_config.${problem}`),
  ]
  return wrong.map((problem) => ({
    problem: { en: `it leaves out what was set: ${problem}`, hr: `izostavlja ono što je postavljeno: ${problem}` },
    fix: { en: 'set it again, as docs/technician.md says', hr: 'postavite to ponovno, kako piše u docs/technician.md' },
  }))
}
