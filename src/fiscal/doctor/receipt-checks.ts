import { type Check, warning } from '../../domain/check.ts'
import { centsOf } from '../../domain/money.ts'
import { findingsOf } from '../../domain/sale/findings.ts'
import type { FiscalDocument } from '../../domain/sale/sale.ts'
import { partsOf } from '../../domain/sale/turnover.ts'
import { withDeviceName } from '../../domain/shell-word.ts'
import { alike, type Both } from '../../domain/texts/both.ts'
import type { Company, Device } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { isOvertaxed } from '../sales/recent-findings.ts'
import { type HealthCheck, orFine } from './doctor.ts'

/** Whether printed receipts contain everything the law requires (docs/spec/printing.md, The law and a vending machine). */
export function receiptChecks(store: StoreTransaction): HealthCheck[] {
  return [{ name: { en: 'receipts', hr: 'ispisani računi' }, run: () => examine(store) }]
}

async function examine(store: StoreTransaction): Promise<Check[]> {
  const checks: Check[] = []
  for (const { deviceId } of await store.printers.all()) {
    const device = await store.devices.get(deviceId)
    const company = device && (await store.companies.get(device.companyId))
    if (!company) continue
    const name = { en: `receipt ${device.label}`, hr: `ispisani račun ${device.label}` }
    const found = [...addressProblems(company, device), ...(await problemsOfLast(store, company, device))]
    const lacks = found.map(({ problem, fix }) => warning(name, problem, fix))
    checks.push(...orFine(lacks, name, { en: 'it says what the law wants', hr: 'sadrži sve što zakon propisuje' }))
  }
  return checks
}

interface Lack {
  problem: Both
  fix: Both
}

const lack = (en: string, hr: string, fixEn: string, fixHr = fixEn): Lack => ({
  problem: { en, hr },
  fix: { en: fixEn, hr: fixHr },
})

function addressProblems({ name, oib, address }: Company, { label, premisesAddress }: Device): Lack[] {
  const isWritten = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  const lacks: Lack[] = []
  if (!isWritten(address.street) || !isWritten(address.city)) {
    const fix = `fisk company set ${oib} --street TEXT --postal-code CODE --city NAME`
    lacks.push(lack(`it lacks the address of ${name}`, `nema adrese tvrtke ${name}`, fix))
  }
  if (!isWritten(premisesAddress)) {
    const problem = `it lacks the place of sale: where ${label} stands`
    const fix = withDeviceName('fisk device set DEVICE --address TEXT', label)
    lacks.push(lack(problem, `nema mjesta prodaje: adresa na kojoj stoji ${label}`, fix))
  }
  return lacks
}

/** What the receipt that was queued last lacks: the firmware may send goods and VAT with each sale. */
async function problemsOfLast(store: StoreTransaction, company: Company, device: Device): Promise<Lack[]> {
  const [last] = await store.printJobs.ofDevice(device.id, 1)
  const invoice = last && (await store.invoices.get(last.invoiceId))
  if (!invoice) return []
  const { document, receipt } = invoice
  const { items = [], header = [], footer = [] } = receipt ?? {}
  const { oib } = company
  const lacks: Lack[] = []
  if (items.every(({ name }) => name.trim() === '')) lacks.push(NO_GOODS)
  if (isUnbalanced(document)) {
    const isOfSetting = isOvertaxed(invoice, company, device)
    lacks.push(saysNothingOfVat(document) ? NO_VAT : isOfSetting ? overtaxed(oib) : UNBALANCED)
  }
  if (findingsOf(document).includes('v142')) lacks.push(vatOutside(oib))
  if (isExempt(document) && ![...header, ...footer].some((line) => PROVISION.test(line))) lacks.push(noProvision(oib))
  return lacks
}

/** An article of an act: `čl. 39. st. 1.`, `članka 40`, `art. 39(1)`. Header and footer are the only free texts on paper. */
const PROVISION = /(?<!\p{L})(?:[čc]l(?:\.|an\p{L}*)|art(?:\.|icle))\s*\d/iu

/** Whether the parts on paper are not the total. Outside of the VAT system the goods are a part without a line of their own. */
function isUnbalanced(document: FiscalDocument): boolean {
  return partsOf(document).some(({ kind, amount }) => {
    if (kind === 'outside_vat') return amount * centsOf(document.total) <= 0n
    return kind === 'rest' && (amount > 1n || amount < -1n)
  })
}

/** Outside of the VAT system the note on VAT names the provision. */
const isExempt = ({ vatRegistered, vatExemptAmount }: FiscalDocument) =>
  vatRegistered && vatExemptAmount !== null && centsOf(vatExemptAmount) !== 0n

const saysNothingOfVat = ({ vatRegistered, vat, vatExemptAmount, marginAmount, nonTaxableAmount }: FiscalDocument) =>
  vatRegistered && vat.length === 0 && (vatExemptAmount ?? marginAmount ?? nonTaxableAmount) === null

const NO_GOODS = lack(
  'the last one named no goods',
  'na posljednjem nije navedeno što je prodano',
  'send `items` with each sale, as docs/firmware.md says',
  'uz svaku prodaju pošaljite stavke (`items`), kako piše u docs/firmware.md',
)
const NO_VAT = lack(
  'the last one said nothing about VAT, and the issuer is in the VAT system',
  'na posljednjem nema PDV-a, a tvrtka je u sustavu PDV-a',
  'set `default_vat_rate` in the fiscal_config of the company, or send `vat` with each sale',
  'postavite zadanu stopu PDV-a tvrtke (`default_vat_rate`) ili uz svaku prodaju pošaljite PDV (`vat`)',
)
const UNBALANCED = lack(
  'the parts of the last one do not add up to its total: VAT with its bases, exempt and untaxed amounts, fees',
  'dijelovi posljednjeg ne daju ukupni iznos: PDV s osnovicama, oslobođeni i neoporezivi iznosi, naknade',
  'send and configure parts that add up to `total`: docs/firmware.md, Deposits',
  'šaljite i postavite dijelove čiji je zbroj `total`: docs/firmware.md, Deposits',
)
const overtaxed = (oib: string): Lack => ({
  ...UNBALANCED,
  fix: alike(`fisk company set ${oib} --config default_vat_base=taxable`),
})
const vatOutside = (oib: string) =>
  lack(
    'the last one charged VAT, and the issuer is not in the VAT system',
    'na posljednjem je obračunan PDV, a tvrtka nije u sustavu PDV-a',
    `send no \`vat\` and configure none; if the company is in the VAT system: fisk company set ${oib} --vat-registered`,
    `ne šaljite PDV (\`vat\`) i ne postavljajte ga; ako je tvrtka u sustavu PDV-a: fisk company set ${oib} --vat-registered`,
  )
const noProvision = (oib: string) =>
  lack(
    'the last one has an amount exempt from VAT, and names no provision that exempts it',
    'na posljednjem je iznos oslobođen PDV-a, a nema odredbe po kojoj je oslobođen',
    `name the article of the VAT act below each receipt, behind the lines that are there: fisk company set ${oib} --receipt-footer LINE --receipt-footer ARTICLE`,
    `navedite članak Zakona o PDV-u na dnu računa, iza dosadašnjih redaka: fisk company set ${oib} --receipt-footer REDAK --receipt-footer ČLANAK`,
  )
