import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import type { PageContext } from '../page-routes.ts'
import { byText } from '../sales-choices.ts'
import { texts } from './texts.ts'

/** Who is meant by the id in an entry: the present name of a user or key; of a removed one the log has only the id. */
export async function actorNames(
  admin: Pick<AdminUseCases, 'listUsers' | 'listApiKeys'>,
  { principal, language }: Pick<PageContext, 'principal' | 'language'>,
) {
  // Who is limited to some companies sees no users and keys.
  const [users, keys] =
    principal.companyIds === null
      ? await Promise.all([admin.listUsers(principal), admin.listApiKeys(principal)])
      : [[], []]
  const names = new Map([...users, ...keys].map(({ id, name }) => [id, name ?? id]))
  const all = [...names].map(([value, text]) => ({ value, text })).sort(byText)
  return Object.assign((actor: string) => names.get(actor) ?? whoIs(actor, texts[language], principal), { all })
}

const APART = /^(operator of|gateway|server) (.+)$/

function whoIs(
  actor: string,
  t: (typeof texts)['hr'],
  { companyIds, id }: Pick<PageContext, 'principal'>['principal'],
): string {
  if (actor === 'operator') return t.operator
  if (actor === 'crl') return t.issuer
  if (actor === 'nobody') return t.nobody
  const [, kind, which = ''] = APART.exec(actor) ?? []
  if (kind === 'operator of') return t.operator
  if (kind === 'gateway') return t.gateway(which)
  if (kind === 'server') return t.server
  if (companyIds === null) return t.gone(actor)
  return actor === id ? t.you : t.other(actor)
}
