import { readCertificate, uploadCertificate } from '../certificate-file.ts'
import { Failure } from '../failure.ts'
import type { Prompter } from '../prompts.ts'
import { secretFrom } from '../secrets.ts'
import { complain, type Setup, type SetupCompany } from './setup.ts'

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
      complain(setup.session, error)
    }
  }
}
