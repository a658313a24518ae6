import type { CertificateView } from '../../contract/v1/fleet.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { checkCertificate, readCertificate, uploadCertificate } from '../certificate-file.ts'
import { Failure } from '../failure.ts'
import type { Upload } from '../files.ts'
import type { Prompter } from '../prompts.ts'
import { secretFrom } from '../secrets.ts'
import { localTime } from '../text/times.ts'
import { complain, otherwise, type Setup, type SetupCompany } from './setup.ts'

export async function certificateStep(setup: Setup, company: SetupCompany): Promise<void> {
  const { options, prompter, steps } = setup
  const { certificateStatus, certificateDaysLeft } = company
  const until = options.certFile
    ? await fromFile(setup, company, options.certFile)
    : isGood(certificateStatus)
      ? IN_USE
      : prompter && (await askUntilTaken(setup, company, prompter))
  if (until === IN_USE) {
    const detail = `${certificateStatus}, ${certificateDaysLeft} days left`
    return void steps.push({ step: 'certificate', state: 'already', detail })
  }
  const detail = until ? described(until) : `fisk cert add --company ${company.oib} --file FILE`
  steps.push({ step: 'certificate', state: until ? 'done' : 'left', detail })
}

function described({ subject_cn, subject_oib, issuer, not_after, days_until_expiry }: CertificateView): string {
  return `${subject_cn}, OIB ${subject_oib}, issued by ${issuer}; until ${localTime(not_after)}, ${days_until_expiry} days`
}

/** Whether sales can be made with a certificate in this status. */
export const isGood = (status: string): boolean => status === 'valid' || status === 'expiring'

const PASSPHRASE = 'Passphrase of the certificate'

/** Uploads the certificate in a PKCS#12 file, whose passphrase comes from a flag or is asked for. */
export async function uploadFile(setup: Setup, company: SetupCompany, path: string) {
  return uploadCertificate(setup.client, await uploadOf(setup, company, path))
}

async function uploadOf({ session, options }: Setup, { id, oib }: SetupCompany, path: string) {
  const file = await readCertificate('cert-file', path)
  return { company: id, named: oib, file, passphrase: await secretFrom('passphrase', options, session, PASSPHRASE) }
}

const IN_USE = 'in use'

/** A good certificate is not replaced by the way: only one that ends soon is. @throws Failure naming what replaces it */
async function fromFile(setup: Setup, company: SetupCompany, path: string) {
  const { client, options } = setup
  const upload = await uploadOf(setup, company, path)
  if (isGood(company.certificateStatus)) {
    if ((await checkCertificate(client, upload)).in_use) return IN_USE
    const secret = options.passphraseFile ? ` --passphrase-file ${shellWord(options.passphraseFile)}` : ''
    const command = `fisk cert add --company ${company.oib} --file ${shellWord(path)}${secret}`
    if (company.certificateStatus === 'valid')
      throw otherwise('cert-file', `${company.name} signs with another certificate than that in ${path}.`, command)
  }
  return uploadCertificate(client, upload)
}

/** A mistyped passphrase must not end the whole set-up. */
async function askUntilTaken(setup: Setup, company: SetupCompany, prompter: Prompter): Promise<CertificateView | null> {
  const { session, client, options } = setup
  for (let file: Upload | null = null; ; ) {
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
