import { FiskError } from '../../domain/errors.ts'
import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { addressOf } from '../addresses.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { ADMIN, type DashboardDeps, type PageContext, type Pages } from '../page-routes.ts'
import { type ShowCompany, targetsOf } from './detail.ts'
import { companyOf } from './edit.ts'
import { texts } from './texts.ts'

type Upload = Parameters<DashboardDeps['v1']['addCertificate']>[1]

interface Sent {
  isHere: boolean
  sent: string[]
  failed: string[]
}

/** Certificates of a company: uploaded here, sent to its gateways, and taken out of use. */
export function certificatePages(pages: Pages, deps: DashboardDeps, show: ShowCompany): void {
  const { v1, admin, role } = deps

  pages.post(
    '/companies/:id/certificate',
    { ...ADMIN, fileBytes: DASHBOARD_BOUNDS.certificateFileRead.most },
    async (context) => {
      const company = await companyOf(deps, context)
      const t = texts[context.language]
      const file = context.files.file?.bytes
      const { passphrase, label } = context.form
      const targets = chosen(company, context.form.target)
      const errors = {
        ...((!file || file.length === 0) && { file: t.fileMissing }),
        ...(file && file.length > DASHBOARD_BOUNDS.certificateFile.most && { file: t.fileLarge }),
        ...(!passphrase && { passphrase: t.passphraseMissing }),
        ...(label && [...label].length > DASHBOARD_BOUNDS.certificateLabel.most && { label: t.nameWrong }),
        ...(targets.length === 0 && { target: t.targetMissing }),
      }
      if (!file || !passphrase || Object.keys(errors).length > 0) return show(context, company, errors)
      const signal = whileCallerWaits(context.reply.raw)
      const upload = { companyId: company.company.id, file, passphrase, label: label?.trim() || null, signal }
      return context.once<Sent>((keep) => sendTo(context, targets, upload, keep), {
        to: ({ isHere, sent, failed }) => {
          const query = { sent: sent.join(','), failed: failed.join(','), notice: isHere ? 'certificate_added' : '' }
          return addressOf(`/dashboard/companies/${upload.companyId}`, query)
        },
        refused: async (errors, error) =>
          show(context, await companyOf(deps, context), inWords(errors, error, company, t)),
      })
    },
  )

  pages.post('/companies/:id/certificates/:certificate/revoke', ADMIN, (context) => {
    const { id = '', certificate = '' } = context.params
    return context.once((keep) => admin.revokeCertificate(context.principal, certificate, keep), {
      to: `/dashboard/companies/${encodeURIComponent(id)}`,
      notice: 'certificate_revoked',
      refused: async (errors) =>
        show(context, await companyOf(deps, context), { form: Object.values(errors)[0] ?? '' }),
    })
  })

  function chosen(file: CompanyFile, typed: string | undefined): string[] {
    const offered = role === 'server' ? targetsOf(file, undefined, '').map(({ value }) => value) : []
    if (offered.length === 0) return ['here']
    return offered.filter((name) => (typed ?? '').split(',').includes(name))
  }

  /**
   * Sends the certificate to one target after the other. The first that takes it makes the form count as done; the page
   * that follows names those that refused it. @throws FiskError of the first target when none takes it
   */
  async function sendTo(context: PageContext, targets: string[], upload: Upload, keep: Keep<Sent>): Promise<Sent> {
    const { principal } = context
    const result: Sent = { isHere: false, sent: [], failed: [] }
    let refusal: FiskError | undefined
    let isKept = false
    for (const target of targets) {
      const isHere = target === 'here'
      // A second submission of the form names as sent only what is certain: other targets may be tried again.
      const keepOnce: Keep<unknown> = async (tx) => {
        if (isKept) return
        const failed = targets.filter((one) => one !== target)
        await keep(tx, { isHere, sent: isHere ? [] : [target], failed })
      }
      try {
        if (isHere) {
          await v1.addCertificate(principal, upload, keepOnce)
          result.isHere = true
        } else {
          await admin.commands.sendCertificate(principal, target, upload, keepOnce)
          result.sent.push(target)
        }
        isKept = true
      } catch (error) {
        if (!(error instanceof FiskError) || error.status >= 500) throw error
        refusal ??= error
        result.failed.push(target)
      }
    }
    if (!isKept && refusal) throw refusal
    return result
  }
}

/** What was refused about an upload, by the fields of its form. */
function inWords(
  { file, passphrase, ...others }: Record<string, string>,
  { code, reason }: FiskError,
  { company }: CompanyFile,
  t: (typeof texts)['hr'],
): Record<string, string> {
  const about: Record<string, string> = {
    certificate_expired: t.expiredUpload,
    'hr.certificate_oib_mismatch': t.otherOib(company.oib),
  }
  const said = reason === null && Object.hasOwn(about, code) ? about[code] : file
  const [other] = Object.values(others)
  return { ...(said && { file: said }), ...(passphrase && { passphrase }), ...(other && { form: other }) }
}
