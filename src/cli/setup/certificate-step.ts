import type { List, TrustBundle } from '../answers.ts'
import { readCertificate, uploadCertificate } from '../commands/cert.ts'
import { addTrust, fetchTrust, readTrustFiles } from '../commands/trust.ts'
import { Failure } from '../failure.ts'
import type { Prompter } from '../prompts.ts'
import { secretFrom } from '../secrets.ts'
import { paragraph } from '../text.ts'
import type { Setup, SetupCompany } from './setup.ts'

/** Sees to it that the mode trusts somebody: without CA certificates neither CIS nor an upload can be checked. */
export async function trustStep({ client, options, prompter, steps }: Setup, { mode }: SetupCompany): Promise<void> {
  if (options.trustFile) {
    const { added, path } = await addTrust(client, mode, await readTrustFiles(options.trustFile))
    steps.push({ step: 'trust', state: added.length > 0 ? 'done' : 'already', detail: path })
    return
  }
  const { data } = await client.get<List<TrustBundle>>('/admin/trust')
  const bundle = data.find((candidate) => candidate.mode === mode)
  const empty = bundle === undefined || bundle.certificates.length === 0
  if (!empty && !options.trustFetch) {
    steps.push({ step: 'trust', state: 'already', detail: bundle.path })
    return
  }
  const question = `Download the CA certificates of the tax authority's ${mode} service?`
  if (options.trustFetch || (await prompter?.confirm(question, true))) {
    const { added, path } = await fetchTrust(client, mode)
    steps.push({ step: 'trust', state: added.length > 0 ? 'done' : 'already', detail: path })
    return
  }
  steps.push({ step: 'trust', state: 'left', detail: `fisk trust fetch --mode ${mode}` })
}

/** Sees to it that the company has a certificate that is good now. */
export async function certificateStep(setup: Setup, company: SetupCompany): Promise<void> {
  const { options, prompter, steps } = setup
  const { certificateStatus, certificateDaysLeft } = company
  const good = certificateStatus === 'valid' || certificateStatus === 'expiring'
  if (certificateStatus === 'valid' || (good && options.certFile === undefined)) {
    steps.push({
      step: 'certificate',
      state: 'already',
      detail: `${certificateStatus}, ${certificateDaysLeft} days left`,
    })
    return
  }
  const until =
    options.certFile !== undefined
      ? await upload(setup, company, options.certFile)
      : prompter && (await askUntilTaken(setup, company, prompter))
  steps.push(
    until
      ? { step: 'certificate', state: 'done', detail: `${until.subject_cn}, ${until.days_until_expiry} days left` }
      : { step: 'certificate', state: 'left', detail: `fisk cert add --company ${company.oib} --file FILE` },
  )
}

async function upload({ session, client, options }: Setup, company: SetupCompany, path: string) {
  const file = await readCertificate('cert-file', path)
  const passphrase = await secretFrom('passphrase', options, session, 'Passphrase of the certificate')
  return uploadCertificate(client, { company: company.id, file, passphrase })
}

/** A mistyped passphrase must not end the whole set-up. */
async function askUntilTaken(setup: Setup, company: SetupCompany, prompter: Prompter) {
  for (;;) {
    const path = await prompter.text('PKCS#12 file of its fiscal certificate (empty: later)')
    if (path === '') return null
    try {
      return await upload(setup, company, path)
    } catch (error) {
      if (!(error instanceof Failure) || error.body.error.type !== 'validation_error') throw error
      setup.session.print(paragraph('Not taken: ', error.message) + (error.fix ? paragraph('Fix: ', error.fix) : ''))
    }
  }
}
