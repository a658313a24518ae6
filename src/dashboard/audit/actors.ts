import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import type { PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

/** Who is meant by the id in an entry: the present name of a user or key; of a removed one the log has only the id. */
export async function actorNames(
  admin: Pick<AdminUseCases, 'listUsers' | 'listApiKeys'>,
  { principal, language }: Pick<PageContext, 'principal' | 'language'>,
): Promise<(actor: string) => string> {
  const [users, keys] = await Promise.all([admin.listUsers(principal), admin.listApiKeys(principal)])
  const names = new Map([...users, ...keys].map(({ id, name }) => [id, name ?? id]))
  return (actor) => names.get(actor) ?? whoIs(actor, texts[language])
}

const APART = /^(operator of|gateway|server) (.+)$/

function whoIs(actor: string, t: (typeof texts)['hr']): string {
  if (actor === 'operator') return t.operator
  if (actor === 'crl') return t.issuer
  if (actor === 'nobody') return t.nobody
  const [, kind, which = ''] = APART.exec(actor) ?? []
  if (kind === 'operator of') return t.operator
  if (kind === 'gateway') return t.gateway(which)
  if (kind === 'server') return t.server
  return t.gone(actor)
}
