import { Eta } from 'eta'
import type { FastifyRequest } from 'fastify'
import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale/sale.ts'
import type { Role, User } from '../fiscal/ports/model.ts'
import { assetAddresses, VIEWS } from './asset-files.ts'
import { createFormats } from './formats.ts'
import { languageOf } from './language.ts'
import { texts } from './texts.ts'

/** Who looks at a view, and what its forms carry along. */
export interface Viewer {
  request: FastifyRequest
  user: User | null
  csrfToken: string
  formId: string
  may(role: Role): boolean
  /** Of the active companies: what a page shows that is not of one mode. */
  modes?(): Promise<readonly Mode[]>
  /** The name of the operator; null for none. */
  brand?(): Promise<string | null>
}

/** What a form has not brought about is not shown as done. */
const NOT_DONE = ['copy_without_printer', 'gateway_out_of_reach', 'invoice_settled', 'invoice_still_waits']

export const THEME_COOKIE = 'fiskd_theme'

export type Views = ReturnType<typeof createViews>

/** What a page shows: its texts, whose `title` is its own where it says no other, and what was wrong with its form. */
export type Shown = { t: object; title?: string; shownMode?: Mode | undefined; errors?: object } & Record<
  string,
  unknown
>

/** Each view is compiled when it is first asked for. Everything written into one is escaped, unless it says otherwise. */
export function createViews(facts: { role: 'gateway' | 'server'; version: string; now(): EpochMs }) {
  const eta = new Eta({ views: VIEWS, cache: true, autoEscape: true, autoTrim: false })
  const assets = assetAddresses()
  const formats = createFormats(facts.now)

  function valuesOf(it: Record<string, unknown>, viewer: Viewer) {
    const { request, user, csrfToken, formId, may } = viewer
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
        path,
        language,
        theme,
        role: facts.role,
        may,
        url: request.url,
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
      return eta.renderAsync('/layout', { ...values, body, modes, brand: (await viewer.brand?.()) ?? 'fiskd' })
    },
    fragment: (view: string, it: Record<string, unknown>, viewer: Viewer): Promise<string> =>
      eta.renderAsync(view, valuesOf(it, viewer)),
  }
}

type Name = keyof (typeof texts)['hr']['navigation']

interface Page {
  name: Name
  path: string
  role: Role
  server?: true
  /** Not for users who are limited to some companies. */
  all?: true
}

/** What the office does each day, and below it how it is set up. */
const GROUPS: { name: 'manage' | null; pages: Page[] }[] = [
  {
    name: null,
    pages: [
      { name: 'overview', path: '/dashboard', role: 'viewer' },
      { name: 'invoices', path: '/dashboard/invoices', role: 'viewer' },
      { name: 'closings', path: '/dashboard/closings', role: 'viewer' },
      { name: 'devices', path: '/dashboard/devices', role: 'viewer' },
      { name: 'companies', path: '/dashboard/companies', role: 'viewer' },
      { name: 'jobs', path: '/dashboard/jobs', role: 'operator' },
    ],
  },
  {
    name: 'manage',
    pages: [
      { name: 'gateways', path: '/dashboard/gateways', role: 'viewer', server: true, all: true },
      { name: 'alerts', path: '/dashboard/alerts', role: 'viewer' },
      { name: 'export', path: '/dashboard/export', role: 'viewer' },
      { name: 'keys', path: '/dashboard/keys', role: 'admin', all: true },
      { name: 'users', path: '/dashboard/users', role: 'admin', all: true },
      { name: 'audit', path: '/dashboard/audit', role: 'admin', all: true },
      { name: 'settings', path: '/dashboard/settings', role: 'admin', all: true },
    ],
  },
]

/** What a reader may see. */
interface Reader {
  isLimited: boolean
  may(role: Role): boolean
}

const isFor = (page: Page, { isLimited, may }: Reader) => may(page.role) && !(page.all && isLimited)

const isAt = (page: Page, path: string) =>
  path === page.path || (page.path !== '/dashboard' && path.startsWith(`${page.path}/`))

/** Whether a reader may open an address of these pages; it is shown as a text where not. */
function mayOpen(address: string, reader: Reader): boolean {
  const [path = ''] = address.split('?')
  return GROUPS.every(({ pages }) => pages.every((page) => !isAt(page, path) || isFor(page, reader)))
}

/** The pages that the menu offers to a role, by group; one of them is the current one. */
function navigationOf(
  { path, role, ...reader }: Reader & { path: string; role: 'gateway' | 'server' },
  names: Record<Name, string>,
  groupNames: Record<'manage', string>,
) {
  return GROUPS.map(({ name, pages }) => ({
    key: name,
    /** Its heading; null for what needs none. */
    name: name && groupNames[name],
    pages: pages
      .filter((page) => isFor(page, reader) && (!page.server || role === 'server'))
      .map((page) => ({
        path: page.path,
        text: names[page.name],
        current: isAt(page, path),
      })),
  }))
}
