import type { CertificateView } from '../../contract/v1/fleet.ts'
import { type CertificateFile, readCertificate, uploadCertificate } from '../certificate-file.ts'
import { Failure } from '../failure.ts'
import type { Prompter } from '../prompts.ts'
import { secretFrom } from '../secrets.ts'
import { localTime } from '../text/times.ts'
import { complain, type Setup, type SetupCompany } from './setup.ts'

/** Sees to it that the company has a certificate that is good now. */
export async function certificateStep(setup: Setup, company: SetupCompany): Promise<void> {
  const { options, prompter, steps } = setup
  const { certificateStatus, certificateDaysLeft } = company
  if (certificateStatus === 'valid' || (isGood(certificateStatus) && options.certFile === undefined)) {
    steps.push({
      step: 'certificate',
      state: 'already',
      detail: `${certificateStatus}, ${certificateDaysLeft} days left`,
    })
    return
  }
  const until =
    options.certFile !== undefined
      ? await uploadFile(setup, company, options.certFile)
      : prompter && (await askUntilTaken(setup, company, prompter))
  steps.push(
    until
      ? { step: 'certificate', state: 'done', detail: described(until) }
      : { step: 'certificate', state: 'left', detail: `fisk cert add --company ${company.oib} --file FILE` },
  )
}

/** Whose it is, who issued it and how long it is good. */
function described({ subject_cn, subject_oib, issuer, not_after, days_until_expiry }: CertificateView): string {
  return `${subject_cn}, OIB ${subject_oib}, issued by ${issuer}; until ${localTime(not_after)}, ${days_until_expiry} days`
}

/** Whether sales can be made with a certificate in this status. */
export const isGood = (status: string): boolean => status === 'valid' || status === 'expiring'

const PASSPHRASE = 'Passphrase of the certificate'

/** Uploads the certificate in a PKCS#12 file, whose passphrase comes from a flag or is asked for. */
export async function uploadFile({ session, client, options }: Setup, company: SetupCompany, path: string) {
  const file = await readCertificate('cert-file', path)
  const passphrase = await secretFrom('passphrase', options, session, PASSPHRASE)
  return uploadCertificate(client, { company: company.id, named: company.oib, file, passphrase })
}

/** A mistyped passphrase must not end the whole set-up. */
async function askUntilTaken(setup: Setup, company: SetupCompany, prompter: Prompter): Promise<CertificateView | null> {
  const { session, client, options } = setup
  for (let file: CertificateFile | null = null; ; ) {
    try {
      if (file === null) {
        const path = await prompter.text('PKCS#12 file of its fiscal certificate (empty: later)')
        if (path === '') return null
        file = await readCertificate('cert-file', path)
      }
      const passphrase = await secretFrom('passphrase', options, session, PASSPHRASE)
      return await uploadCertificate(client, { company: company.id, named: company.oib, file, passphrase })
    } catch (error) {
      if (!(error instanceof Failure) || error.body.error.type !== 'validation_error') throw error
      complain(session, error)
      // Where only the passphrase is wrong, the file is not asked for again; one from a flag would be wrong again.
      const isPassphrase =
        error.body.error.param === 'passphrase' && !options.passphraseFile && !options.passphraseStdin
      if (!isPassphrase) file = null
    }
  }
}
