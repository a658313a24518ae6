import type { CompanyStatusView } from '../../contract/admin/status.ts'
import { CompanySchema, type CompanyView } from '../../contract/v1/fleet.ts'
import { companyIdOf } from '../../domain/company-id.ts'
import { oibFault } from '../../domain/oib.ts'
import { VAT_RATES } from '../../domain/sale/vat.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { allRows } from '../daemon/lists.ts'
import { Failure, wrongUse } from '../failure.ts'
import { addressFields, type VatChoice, vatFields } from '../options.ts'
import { clean } from '../text/columns.ts'
import { noteAddress } from './address-step.ts'
import { chosenMode } from './mode-step.ts'
import { otherwise, required, type Setup, type SetupCompany, type SetupOptions } from './setup.ts'

/** Finds or registers the company. @returns null when no OIB is given */
export async function companyStep(setup: Setup): Promise<SetupCompany | null> {
  const companies = await ownCompanies(setup)
  const oib = await chosenOib(setup, companies)
  if (oib === null) {
    setup.steps.push({ step: 'company', state: 'left', detail: 'fisk init --oib OIB --name NAME' })
    return null
  }
  const known = companies.find((company) => company.oib === oib)
  return known ? existing(setup, known) : register(setup, oib)
}

type KnownCompany = CompanyView & Pick<CompanyStatusView, 'certificate_days_left'>

/** The status has the companies of every tenant, and only its own can be set up. */
async function ownCompanies({ client, status }: Setup): Promise<KnownCompany[]> {
  const own = new Map((await allRows(client, '/v1/companies', CompanySchema)).map((company) => [company.oib, company]))
  return status.companies.flatMap((found) => {
    const company = own.get(found.oib)
    return company ? { ...company, certificate_days_left: found.certificate_days_left } : []
  })
}

async function chosenOib({ options, prompter }: Setup, companies: KnownCompany[]): Promise<string | null> {
  if (options.oib !== undefined) {
    const fault = oibFault(options.oib)
    if (fault === null) return options.oib
    throw wrongUse('oib', `"${options.oib}": ${fault}`, 'Compare it with the papers of the company.')
  }
  const [first, ...others] = companies
  if (prompter === null) return first !== undefined && others.length === 0 ? first.oib : null
  if (first !== undefined) {
    const choices = [first, ...others].map(({ oib, name, mode }) => ({
      value: oib,
      label: clean(`${name} (${oib}, ${mode})`),
    }))
    if (others.length === 0) return first.oib
    const chosen = await prompter.choose('Which company sells here?', [...choices, { value: '', label: 'Another one' }])
    if (chosen !== '') return chosen
  }
  return prompter.text('OIB of the company', (value) => oibFault(value) ?? undefined)
}

/** @throws Failure for what is registered in another form */
function existing({ options, steps }: Setup, known: KnownCompany): SetupCompany {
  const { oib, name, mode } = known
  const [[flag, is, change] = []] = differences(options, known)
  if (flag) throw otherwise(flag, `${name} ${is}.`, `fisk company set ${oib} ${change}`)
  steps.push({ step: 'company', state: 'already', detail: `${name}, OIB ${oib}, ${mode}` })
  return {
    id: companyIdOf(oib),
    oib,
    name,
    mode,
    certificateStatus: known.certificate_status,
    certificateDaysLeft: known.certificate_days_left,
  }
}

/** What stands there otherwise: which flag asks for it, how it is, and the option that changes it. */
function differences({ mode, name, notVatRegistered, vatRate }: SetupOptions, known: KnownCompany) {
  const { vat_registered: isIn, fiscal_config } = known
  const rate = fiscal_config.default_vat_rate
  const rated = rate ? `sells at a VAT rate of ${rate} %` : 'has no VAT rate: its firmware sends the VAT'
  const found: [flag: string, is: string, change: string][] = []
  if (mode && mode !== known.mode)
    found.push(['mode', `is registered in ${known.mode} mode; fisk init does not change the mode`, `--mode ${mode}`])
  if (name !== undefined && plain(name) !== plain(known.name))
    found.push(['name', `is the name of the company with the OIB ${known.oib}`, `--name ${shellWord(name)}`])
  if (notVatRegistered && isIn)
    found.push(['not-vat-registered', 'is registered in the VAT system', '--not-vat-registered'])
  if (vatRate !== undefined && !(isIn && vatRate === rate))
    found.push([
      'vat-rate',
      isIn ? rated : 'is not in the VAT system',
      `${isIn ? '' : '--vat-registered '}--vat-rate ${vatRate}`,
    ])
  return found
}

const plain = (name: string) => name.trim().normalize('NFC')

async function register(setup: Setup, oib: string): Promise<SetupCompany> {
  const { options, prompter, client, steps } = setup
  const name = options.name ?? (await prompter?.text('Name of the company', required))
  if (name === undefined) throw wrongUse('name', 'The name of the new company is missing.')
  const mode = await chosenMode(options, prompter)
  const vat = await chosenVat(setup)
  const address = addressFields(options)
  const body = { oib, name, mode, ...vatFields(vat), ...(address && { address }) }
  const company = { id: companyIdOf(oib), oib, name, mode, certificateStatus: 'missing', certificateDaysLeft: null }
  try {
    const made = await client.post('/v1/companies', CompanySchema, body)
    steps.push({ step: 'company', state: 'done', detail: `${made.name}, OIB ${oib}, ${made.mode}` })
    const live = 'docs/before-live.md; fisk doctor --before-live'
    if (made.mode === 'live') steps.push({ step: 'live', state: 'left', detail: live, optional: true })
    if (address) noteAddress(setup, oib, address, 'done')
    return { ...company, name: made.name, mode: made.mode }
  } catch (error) {
    // Another caller registered the company in the meantime, which is the wanted result.
    if (!(error instanceof Failure) || error.body.error.type !== 'conflict') throw error
    const own = await allRows(client, '/v1/companies', CompanySchema)
    const known = own.find(({ id }) => id === company.id)
    if (!known) throw error
    const wanted = { ...setup, options: { ...options, ...vat, name, ...(prompter && { mode }) } }
    return existing(wanted, { ...known, certificate_days_left: null })
  }
}

async function chosenVat({ options, prompter }: Setup): Promise<VatChoice> {
  const { notVatRegistered, vatRate } = options
  if (notVatRegistered) return { notVatRegistered }
  if (prompter === null || vatRate !== undefined) return vatRate === undefined ? {} : { vatRate }
  const rate = await prompter.choose('VAT rate of its sales', [
    ...[...VAT_RATES].reverse().map((value) => ({ value: value as string, label: `${value} %` })),
    { value: NO_VAT, label: 'None: the company is not in the VAT system' },
    { value: '', label: 'The firmware sends the VAT with each sale' },
  ])
  if (rate === NO_VAT) return { notVatRegistered: true }
  return rate === '' ? {} : { vatRate: rate }
}

const NO_VAT = 'none'

/** Flags that need a company, given without one. */
export function refuseWithoutCompany({ options }: Setup): undefined {
  const { certFile, label, premises, isu, trustFile, trustFetch, name, street, printerLine } = options
  if ([certFile, label, premises, isu, trustFile, trustFetch, name, street, printerLine].every((one) => !one))
    return undefined
  throw wrongUse('oib', 'Which company is meant? There is not exactly one.')
}
