import { FiskError } from '../../domain/errors.ts'
import { RECEIPT_LOGO_BYTES, RECEIPT_LOGO_WIDTH_MM } from '../../domain/upload.ts'
import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { addressOf } from '../addresses.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { showList } from '../lists/list.ts'
import { ADMIN, type DashboardDeps, type Fields, type PageContext, type Pages } from '../page-routes.ts'
import { settingsPages } from '../settings/routes.ts'
import { companyPages, type ShowCompany, targetsOf } from './detail.ts'
import { changeCompany, companyOf, editCompanyPages } from './edit.ts'
import { companyList } from './list.ts'
import { texts } from './texts.ts'

export function allCompanyPages(pages: Pages, deps: DashboardDeps): void {
  pages.get('/companies', async (context) => showList(context, await companyList(deps, context)))
  editCompanyPages(pages, deps)
  const show = companyPages(pages, deps)
  certificatePages(pages, deps, show)
  logoPages(pages, deps, show)
  companySettingsPages(pages, deps)
}

function companySettingsPages(pages: Pages, deps: DashboardDeps): void {
  settingsPages<CompanyFile>(pages, {
    path: '/companies/:id/settings',
    role: 'admin',
    key: 'fiscalConfig',
    find: (context) => companyOf(deps, context),
    levelsOf: ({ company }) => ({ own: company.fiscalConfig, above: null }),
    viewOf: (context, { company, gateway, sellers }) => {
      const t = texts[context.language]
      const path = `/dashboard/companies/${company.id}`
      return {
        title: t.settingsTitle(company.name),
        t,
        action: `${path}/settings`,
        back: path,
        mayChange: context.may('admin') && gateway === null,
        whyNot: gateway === null ? t.adminOnly : t.byGateway(gateway),
        note: gateway === null && sellers.length > 0 ? t.onlyHere : null,
      }
    },
    change: (context, file, fiscalConfig, refused) =>
      changeCompany(deps, context, file, { changes: { fiscalConfig }, keys: ['fiscalConfig'], refused }),
  })
}

function logoPages(pages: Pages, deps: DashboardDeps, show: ShowCompany): void {
  const { v1 } = deps

  pages.get('/companies/:id/logo.png', async ({ principal, params, reply }) =>
    reply.type('image/png').send(await v1.logoOf(principal, params.id ?? '')),
  )

  pages.post('/companies/:id/logo', { ...ADMIN, fileBytes: DASHBOARD_BOUNDS.logoFileRead.most }, async (context) => {
    const company = await companyOf(deps, context)
    const t = texts[context.language]
    const file = context.files.logo?.bytes
    const width = (context.form.width ?? '').trim()
    const { least, most } = RECEIPT_LOGO_WIDTH_MM
    const isWidth = width === '' || (/^[0-9]{1,2}$/.test(width) && Number(width) >= least && Number(width) <= most)
    const errors = {
      ...((!file || file.length === 0) && { logo: t.logoMissing }),
      ...(file && file.length > RECEIPT_LOGO_BYTES && { logo: t.logoLarge }),
      ...(!isWidth && { width: t.logoWidthWrong }),
    }
    if (!file || Object.keys(errors).length > 0) return show(context, company, errors)
    const logo = { file, widthMm: width === '' ? undefined : Number(width) }
    const { id } = company.company
    return context.once<Company>((keep) => v1.setLogo(context.principal, id, logo, keep), {
      to: `/dashboard/companies/${id}`,
      notice: 'saved',
      refused: async ({ file: wrong, width_mm: wide, ...others }) =>
        show(context, await companyOf(deps, context), {
          ...(wrong && { logo: wrong }),
          ...(wide && { width: t.logoWidthWrong }),
          ...(Object.values(others)[0] && { form: Object.values(others)[0] ?? '' }),
        }),
    })
  })

  pages.post('/companies/:id/logo/remove', ADMIN, async (context) => {
    const { company } = await companyOf(deps, context)
    return context.once<Company>((keep) => v1.setLogo(context.principal, company.id, null, keep), {
      to: `/dashboard/companies/${company.id}`,
      notice: 'saved',
    })
  })
}

type Upload = Parameters<DashboardDeps['v1']['addCertificate']>[1]

function certificatePages(pages: Pages, deps: DashboardDeps, show: ShowCompany): void {
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
      return context.once<void>((keep) => sendTo(context, targets, upload, keep), {
        to: () =>
          addressOf(`/dashboard/companies/${upload.companyId}`, {
            notice: targets.includes('here') ? 'certificate_added' : undefined,
          }),
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
    const offered = role === 'server' ? targetsOf(file) : []
    if (offered.length === 0) return ['here']
    return offered.filter((name) => (typed ?? '').split(',').includes(name))
  }

  /**
   * Sends the certificate to one target after the other. The first that takes it makes the form count as done; the page
   * names those that have it not. @throws FiskError of this server, and of the first gateway when none takes it
   */
  async function sendTo(
    { principal }: PageContext,
    targets: string[],
    upload: Upload,
    keep: Keep<void>,
  ): Promise<void> {
    let refusal: FiskError | undefined
    let isKept = false
    const keepOnce: Keep<unknown> = async (tx) => {
      if (!isKept) await keep(tx)
    }
    for (const target of targets) {
      try {
        if (target === 'here') await v1.addCertificate(principal, upload, keepOnce)
        else await admin.commands.sendCertificate(principal, target, upload, keepOnce)
        isKept = true
      } catch (error) {
        if (!(error instanceof FiskError) || error.status >= 500 || target === 'here') throw error
        refusal ??= error
      }
    }
    if (!isKept && refusal) throw refusal
  }
}

/** What was refused about an upload, by the fields of its form. */
function inWords(
  { file, passphrase, ...others }: Fields,
  { code, reason }: FiskError,
  { company }: CompanyFile,
  t: (typeof texts)['hr'],
): Fields {
  const about: Record<string, string> = {
    certificate_expired: t.expiredUpload,
    'hr.certificate_oib_mismatch': t.otherOib(company.oib),
  }
  const said = reason === null && Object.hasOwn(about, code) ? about[code] : file
  const [other] = Object.values(others)
  return { ...(said && { file: said }), ...(passphrase && { passphrase }), ...(other && { form: other }) }
}
