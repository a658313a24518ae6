import type { Role } from '../fiscal/ports/model.ts'
import type { texts } from './texts.ts'

type Name = keyof (typeof texts)['hr']['navigation']

interface Place {
  name: Name
  path: string
  role: Role
  server?: true
}

const PLACES: Place[] = [
  { name: 'overview', path: '/dashboard', role: 'viewer' },
  { name: 'invoices', path: '/dashboard/invoices', role: 'viewer' },
  { name: 'devices', path: '/dashboard/devices', role: 'viewer' },
  { name: 'companies', path: '/dashboard/companies', role: 'viewer' },
  { name: 'gateways', path: '/dashboard/gateways', role: 'viewer', server: true },
  { name: 'alerts', path: '/dashboard/alerts', role: 'viewer' },
  { name: 'export', path: '/dashboard/export', role: 'viewer' },
  { name: 'keys', path: '/dashboard/keys', role: 'admin' },
  { name: 'users', path: '/dashboard/users', role: 'admin' },
  { name: 'audit', path: '/dashboard/audit', role: 'admin' },
]

/** The places that somebody may go to; one of them is where they are. */
export function navigationOf(
  { path, role, may }: { path: string; role: 'gateway' | 'server'; may(role: Role): boolean },
  names: Record<Name, string>,
): { path: string; text: string; current: boolean }[] {
  return PLACES.filter((place) => may(place.role) && (!place.server || role === 'server')).map((place) => ({
    path: place.path,
    text: names[place.name],
    current: path === place.path || (place.path !== '/dashboard' && path.startsWith(`${place.path}/`)),
  }))
}
