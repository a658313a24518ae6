import { setTimeout as delay } from 'node:timers/promises'
import type { TakenOverView } from '../../contract/admin/replacement.ts'
import { StatusSchema } from '../../contract/admin/status.ts'
import { Failure, wrongUse } from '../failure.ts'
import type { Prompter } from '../prompts.ts'
import { certificateStep, isGood, uploadFile } from '../setup/certificate-step.ts'
import { complain, type SetupCompany } from '../setup/setup.ts'
import { trustStep } from '../setup/trust-step.ts'
import { clean, paragraph } from '../text/columns.ts'
import type { Screen } from '../text/screen.ts'
import { localTime } from '../text/times.ts'
import type { ReplaceSetup } from './replacement.ts'

const LOOK_MS = 2000
/** A person at the machine waits no longer than this without asking the office. */
const PATIENCE_MIN = 10

/** Brings trust and certificate for every company that was taken over: private keys never leave a machine. */
export async function certificatesStep(setup: ReplaceSetup, taken: TakenOverView): Promise<SetupCompany[]> {
  const companies = await companiesOf(setup, taken)
  for (const company of companies) await trust(setup, company)
  const lacking = companies.filter(({ certificateStatus }) => !isGood(certificateStatus))
  if (setup.options.certFile !== undefined && lacking.length > 1) {
    throw wrongUse(
      'cert-file',
      `Certificates of ${lacking.length} companies are missing, and one file was given.`,
      `Each by itself: ${lacking.map(({ oib }) => `fisk cert add --company ${oib} --file FILE`).join(', ')}; then fisk replace`,
    )
  }
  // The one file is of the company that lacks it.
  const { certFile: _, ...options } = setup.options
  const without = { ...setup, options }
  for (const company of companies) {
    const isOthers = companies.length > 1 && isGood(company.certificateStatus)
    await certificate(isOthers ? without : setup, company, taken)
  }
  return companies
}

async function companiesOf({ client }: ReplaceSetup, { companies }: TakenOverView): Promise<SetupCompany[]> {
  const status = await client.get('/admin/status', StatusSchema)
  return companies.map(({ id, oib, name, mode }) => {
    const known = status.companies.find((company) => company.oib === oib)
    const certificateStatus = known?.certificate_status ?? 'missing'
    return { id, oib, name, mode, certificateStatus, certificateDaysLeft: known?.certificate_days_left ?? null }
  })
}

/** The bundle is downloaded and checked by its fingerprints; where that fails a person may have files. */
async function trust(setup: ReplaceSetup, company: SetupCompany): Promise<void> {
  const { options, prompter, session, steps } = setup
  if (options.trustFile) return trustStep(setup, company)
  try {
    await trustStep({ ...setup, options: { ...options, trustFetch: true } }, company)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (prompter) {
      complain(session, error)
      return trustStep(setup, company)
    }
    const detail = `fisk trust fetch --mode ${company.mode} (${error.message})`
    steps.push({ step: 'trust', state: 'left', detail })
  }
}

async function certificate(setup: ReplaceSetup, company: SetupCompany, taken: TakenOverView): Promise<void> {
  const { options, prompter, session, steps } = setup
  if (isGood(company.certificateStatus) || options.certFile !== undefined) return certificateStep(setup, company)
  if (!session.wantsJson()) session.print(ownerText(company, taken, session.screen))
  const minutes = waitMinutes(options.waitCertificate)
  const until =
    minutes > 0
      ? await waitForOffice(setup, company, minutes)
      : prompter && (await askUntilThere(setup, company, prompter))
  const left = `fisk cert add --company ${company.oib} --file FILE, or the office uploads it on the page of the company`
  steps.push({ step: 'certificate', state: until ? 'done' : 'left', detail: until || left })
}

/** Who has the key: it is in no backup of the server. */
function ownerText({ id, name, oib }: SetupCompany, { certificates }: TakenOverView, screen: Screen): string {
  const known = certificates.find(({ company_id }) => company_id === id)
  const which = known && `${known.subject_cn}, ${known.serial}, ${localTime(known.not_after)}`
  return (
    paragraph(
      '',
      `The certificate of ${clean(name)} (${oib}) is missing here: its private key was on the old machine only.`,
      screen,
    ) +
    (which ? paragraph('', `It was: ${clean(which)}.`, screen) : '') +
    paragraph('', WHERE, screen)
  )
}

const WHERE =
  'Its PKCS#12 file (.p12) and passphrase are with the company. Or the office uploads it on the page of the company in the ' +
  'dashboard: then it comes by itself.'

async function askUntilThere(setup: ReplaceSetup, company: SetupCompany, prompter: Prompter): Promise<string | null> {
  for (;;) {
    const path = await prompter.text('PKCS#12 file of the fiscal certificate (empty: the office uploads it)')
    if (path === '') {
      if (!(await prompter.confirm('Wait here for the certificate from the office?', true))) return null
      const found = await waitForOffice(setup, company, PATIENCE_MIN)
      if (found) return found
      continue
    }
    try {
      const { subject_cn, days_until_expiry } = await uploadFile(setup, company, path)
      return `${subject_cn}, ${days_until_expiry} days left`
    } catch (error) {
      if (!(error instanceof Failure) || error.body.error.type === 'api_error') throw error
      complain(setup.session, error)
    }
  }
}

/** The command that brings it is executed by the daemon; here it is only looked for. */
async function waitForOffice(
  { client, session }: ReplaceSetup,
  { oib }: SetupCompany,
  minutes: number,
): Promise<string | null> {
  if (!session.wantsJson()) {
    session.print(
      paragraph('', `Waiting for the certificate from the office, ${minutes} minutes at most ...`, session.screen),
    )
  }
  for (const end = performance.now() + minutes * 60_000; performance.now() < end; await delay(LOOK_MS)) {
    const { companies } = await client.get('/admin/status', StatusSchema)
    const found = companies.find((company) => company.oib === oib)
    if (found && isGood(found.certificate_status)) {
      return `from the office, ${found.certificate_days_left} days left`
    }
  }
  return null
}

function waitMinutes(text: string | undefined): number {
  if (text === undefined) return 0
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw wrongUse('wait-certificate', `"${text}" is not a number of minutes from 1 to 9999.`)
}
