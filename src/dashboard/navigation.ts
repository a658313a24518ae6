import type { Role } from '../fiscal/ports/model.ts'
import type { texts } from './texts.ts'

export type PageName = keyof (typeof texts)['hr']['navigation']

interface Page {
  name: PageName
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
      { name: 'notEarning', path: '/dashboard/not-earning', role: 'viewer' },
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
      { name: 'audit', path: '/dashboard/audit', role: 'operator' },
      { name: 'settings', path: '/dashboard/settings', role: 'admin', all: true },
    ],
  },
]

interface Reader {
  isLimited: boolean
  may(role: Role): boolean
}

const isFor = (page: Page, { isLimited, may }: Reader) => may(page.role) && !(page.all && isLimited)

const isAt = (page: Page, path: string) =>
  path === page.path || (page.path !== '/dashboard' && path.startsWith(`${page.path}/`))

/** Whether a reader may open an address of these pages; it is shown as a text where not. */
export function mayOpen(address: string, reader: Reader): boolean {
  const [path = ''] = address.split('?')
  return GROUPS.every(({ pages }) => pages.every((page) => !isAt(page, path) || isFor(page, reader)))
}

/** The pages that the menu offers to a role, by group; one of them is the current one. */
export function navigationOf(
  { path, role, ...reader }: Reader & { path: string; role: 'gateway' | 'server' },
  names: Record<PageName, string>,
  groupNames: Record<'manage', string>,
) {
  return GROUPS.map(({ name, pages }) => ({
    key: name,
    name: name && groupNames[name],
    pages: pages
      .filter((page) => isFor(page, reader) && (!page.server || role === 'server'))
      .map((page) => ({
        path: page.path,
        name: page.name,
        text: names[page.name],
        current: isAt(page, path),
      })),
  }))
}
