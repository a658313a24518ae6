import { isThisMachine, readDatabaseUrl } from '../../domain/database-url.ts'

/** The commands that make the database of an address, for its administrator. */
export function makingOf(text: string): string {
  const url = readDatabaseUrl(text)
  if (typeof url === 'string') return url
  const install = url.hosts.every(({ host }) => isThisMachine(host)) ? 'sudo apt install postgresql && ' : ''
  const [user, password] = [url.user || 'fiskd', url.password ? ' --pwprompt' : '']
  return `${install}sudo -u postgres createuser${password} ${user} && sudo -u postgres createdb --owner ${user} ${url.database}`
}
