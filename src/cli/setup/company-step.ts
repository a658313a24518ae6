import type { CompanyStatusView } from '../../contract/admin/status.ts'
import { CompanySchema } from '../../contract/v1/fleet.ts'
import { companyIdOf } from '../../domain/company-id.ts'
import { oibFault } from '../../domain/oib.ts'
import { VAT_RATES } from '../../domain/sale/vat.ts'
import { allRows } from '../daemon/lists.ts'
import { clash, Failure, wrongUse } from '../failure.ts'
import { addressFields, vatFields } from '../options.ts'
import { clean } from '../text/columns.ts'
import { noteAddress } from './address-step.ts'
import { chosenMode } from './mode-step.ts'
import { required, type Setup, type SetupCompany } from './setup.ts'

/** Finds or registers the company. @returns null when no OIB is given */
export async function companyStep(setup: Setup): Promise<SetupCompany | null> {
  const companies = await ownCompanies(setup)
  const oib = await chosenOib(setup, companies)
  if (oib === null) {
    setup.steps.push({ step: 'company', state: 'left', detail: 'fisk init --oib OIB --name NAME' })
    return null
  }
  const known = existing(setup, companies, oib)
  if (known) return known
  return register(setup, oib)
}

/** The status has the companies of every tenant, and only its own can be set up. */
async function ownCompanies({ client, status }: Setup): Promise<CompanyStatusView[]> {
  const own = new Set((await allRows(client, '/v1/companies', CompanySchema)).map(({ oib }) => oib))
  return status.companies.filter(({ oib }) => own.has(oib))
}

async function chosenOib({ options, prompter }: Setup, companies: CompanyStatusView[]): Promise<string | null> {
  if (options.oib !== undefined) {
    const fault = oibFault(options.oib)
    if (fault === null) return options.oib
    throw wrongUse(
      'oib',
      `"${options.oib}": ${fault}`,
      'Compare it with the papers of the company: fisk init --oib OIB',
    )
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

function existing({ options, steps }: Setup, companies: CompanyStatusView[], oib: string): SetupCompany | null {
  const known = companies.find((company) => company.oib === oib)
  if (known === undefined) return null
  if (options.mode !== undefined && options.mode !== known.mode) {
    throw clash(
      'mode',
      `${known.name} is registered in ${known.mode} mode; fisk init does not change the mode.`,
      `To change it: fisk company set ${oib} --mode ${options.mode}`,
    )
  }
  steps.push({ step: 'company', state: 'already', detail: `${known.name}, OIB ${oib}, ${known.mode}` })
  return {
    id: companyIdOf(oib),
    oib,
    name: known.name,
    mode: known.mode,
    certificateStatus: known.certificate_status,
    certificateDaysLeft: known.certificate_days_left,
  }
}

async function register(setup: Setup, oib: string): Promise<SetupCompany> {
  const { options, prompter, client, steps } = setup
  const name = options.name ?? (await prompter?.text('Name of the company', required))
  if (name === undefined) throw wrongUse('name', 'The name of the new company is missing.', 'Give --name NAME.')
  const mode = await chosenMode(options, prompter)
  const rates = await vat(setup)
  const address = addressFields(options)
  const body = { oib, name, mode, ...rates, ...(address && { address }) }
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
    if (!own.some(({ id }) => id === company.id)) throw error
    steps.push({ step: 'company', state: 'already', detail: `OIB ${oib}` })
    return company
  }
}

async function vat({ options, prompter }: Setup): Promise<Record<string, unknown>> {
  if (prompter === null || options.notVatRegistered || options.vatRate !== undefined) return vatFields(options)
  const rate = await prompter.choose('VAT rate of its sales', [
    ...[...VAT_RATES].reverse().map((value) => ({ value: value as string, label: `${value} %` })),
    { value: NO_VAT, label: 'None: the company is not in the VAT system' },
    { value: '', label: 'The firmware sends the VAT with each sale' },
  ])
  if (rate === NO_VAT) return vatFields({ notVatRegistered: true })
  return vatFields(rate === '' ? {} : { vatRate: rate })
}

const NO_VAT = 'none'

/** Flags that need a company, given without one. */
export function refuseWithoutCompany({ options }: Setup): undefined {
  const { certFile, label, premises, isu, trustFile, trustFetch, name, street, printerLine } = options
  if ([certFile, label, premises, isu, trustFile, trustFetch, name, street, printerLine].every((one) => !one))
    return undefined
  throw wrongUse('oib', 'Which company is meant? There is not exactly one.', 'Give --oib OIB.')
}
