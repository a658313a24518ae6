import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Eta } from 'eta'
import type { FastifyRequest } from 'fastify'
import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale/sale.ts'
import type { Company, Role, User } from '../fiscal/ports/model.ts'
import type { switchChoices } from './company-switch.ts'
import { createFormats } from './formats.ts'
import { languageOf } from './language.ts'
import { mayOpen, navigationOf, type PageName } from './navigation.ts'
import { texts } from './texts.ts'

/** Views and assets lie beside the sources; the bundle has them in `dist/dashboard`. */
const VIEWS = existsSync(join(import.meta.dirname, 'layout.eta'))
  ? import.meta.dirname
  : join(import.meta.dirname, '../dashboard')
export const ASSETS = join(VIEWS, 'assets')

/** The address of an asset names its content: browsers keep it for ever, and ask anew when it has changed. */
function assetAddresses(): Record<string, string> {
  const addressOf = (file: string) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(ASSETS, file)))
      .digest('hex')
    return `/dashboard/assets/${file}?v=${hash.slice(0, 12)}`
  }
  // The bundle has each a second time, compressed.
  const files = readdirSync(ASSETS).filter((file) => !file.endsWith('.gz'))
  return Object.fromEntries(files.map((file) => [file, addressOf(file)]))
}

/** Who looks at a view, and what its forms carry along. */
export interface Viewer {
  request: FastifyRequest
  user: User | null
  csrfToken: string
  formId: string
  may(role: Role): boolean
  /** Those of the switch in the head, and whether the page is narrowed to the chosen one. */
  companies?: { chosen: Company | null; isNarrowed: boolean; choices(): ReturnType<typeof switchChoices> }
  /** Of the active companies: what a page shows that is not of one mode. */
  modes?(): Promise<readonly Mode[]>
  /** The name of the operator; null for none. */
  brand?(): Promise<string | null>
  /** What the menu counts, by page. */
  counts?(): Promise<Partial<Record<PageName, number>>>
}

/** What a form has not brought about is not shown as done. */
const NOT_DONE = ['copy_without_printer', 'gateway_out_of_reach', 'invoice_settled', 'invoice_still_waits']

export const THEME_COOKIE = 'fiskd_theme'

export type Views = ReturnType<typeof createViews>

/**
 * What a page shows: its texts, whose `title` is its own where it says no other, and what was wrong with its form.
 * `headline` is the view of its first line, where that is more than the title.
 */
export type Shown = {
  t: object
  title?: string
  headline?: string
  shownMode?: Mode | undefined
  errors?: object
} & Record<string, unknown>

/** Each view is compiled when it is first asked for. Everything written into one is escaped, unless it says otherwise. */
export function createViews(facts: { role: 'gateway' | 'server'; version: string; now(): EpochMs }) {
  const eta = new Eta({ views: VIEWS, cache: true, autoEscape: true, autoTrim: false })
  const assets = assetAddresses()
  const formats = createFormats(facts.now)

  function valuesOf(it: Record<string, unknown>, viewer: Viewer) {
    const { request, user, csrfToken, formId, may, companies } = viewer
    const language = user?.language ?? languageOf(request)
    const path = request.url.split('?')[0] ?? ''
    const query = request.query as Record<string, unknown>
    const c = texts[language]
    const notices: Record<string, string> = c.notices
    const notice =
      typeof query.notice === 'string' && Object.hasOwn(notices, query.notice) ? notices[query.notice] : null
    const reader = { isLimited: user !== null && user.companyIds !== null, may }
    const theme = ['light', 'dark'].find((one) => one === request.cookies?.[THEME_COOKIE]) ?? ''
    return {
      t: c,
      ...it,
      title: it.title ?? (it.t as { title?: unknown } | undefined)?.title,
      c,
      f: formats(language),
      notice,
      noticeKind: NOT_DONE.includes(String(query.notice)) ? 'warn' : 'ok',
      assets,
      version: facts.version,
      context: {
        user,
        csrfToken,
        formId,
        companies,
        path,
        language,
        theme,
        role: facts.role,
        may,
        url: request.url,
        narrowedTo: request.narrowedTo,
        mayOpen: (address: string) => mayOpen(address, reader),
      },
      navigation: user ? navigationOf({ path, role: facts.role, ...reader }, c.navigation, c.groups) : [],
    }
  }

  return {
    page: async (view: string, it: Shown, viewer: Viewer) => {
      const values = valuesOf(it, viewer)
      const body = await eta.renderAsync(view, values)
      const modes = it.shownMode ? [it.shownMode] : ((await viewer.modes?.()) ?? [])
      const head = {
        modes,
        companies: (await viewer.companies?.choices()) ?? [],
        brand: (await viewer.brand?.()) ?? 'fiskd',
        counts: (await viewer.counts?.()) ?? {},
      }
      return eta.renderAsync('/layout', { ...values, body, ...head })
    },
    fragment: (view: string, it: Record<string, unknown>, viewer: Viewer): Promise<string> =>
      eta.renderAsync(view, valuesOf(it, viewer)),
  }
}
