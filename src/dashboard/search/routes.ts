import { addressOf } from '../addresses.ts'
import { companiesOf } from '../company-choices.ts'
import { MACHINES } from '../devices/filter.ts'
import { pathOf } from '../gateways/list.ts'
import { isAmount } from '../invoices/filter.ts'
import { rowOf } from '../invoices/list-view.ts'
import { texts as invoiceTexts } from '../invoices/texts.ts'
import { showList } from '../lists/list.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { texts } from './texts.ts'

/** Of each kind; the list of the kind has all. */
const MOST = 20
const LONGEST = 500

/** What the search in the head finds: machines and their places, gateways, companies, invoices and amounts. */
export function searchPage(pages: Pages, deps: DashboardDeps): void {
  pages.get('/search', async (context) => {
    const t = texts[context.language]
    const sought = (context.query.q ?? '').trim().slice(0, LONGEST)
    const hits = sought === '' ? [] : await find(deps, context, sought)
    return showList<Hit>(context, {
      title: t.title,
      path: '/dashboard/search',
      query: {},
      caption: sought,
      none: t.none(sought),
      rows: hits,
      columns: [
        { title: t.what, page: ({ text, href }) => ({ text, href }), place: 'm1' },
        { title: t.kind, page: ({ kind }) => t.kinds[kind], place: 'm3 c-state' },
        { title: t.about, page: ({ about }) => about, place: 'm2' },
      ],
    })
  })
}

type Kind = keyof (typeof texts)['hr']['kinds']
const hit = (kind: Kind, text: string, href: string, about = '') => ({ kind, text, href, about })
type Hit = ReturnType<typeof hit>

async function find({ admin, office, v1, role }: DashboardDeps, context: PageContext, sought: string): Promise<Hit[]> {
  const { principal, language, f } = context
  const t = texts[language]
  const part = sought.toLocaleLowerCase('hr')
  const has = (...names: string[]) => names.some((name) => name.toLocaleLowerCase('hr').includes(part))
  const machines = await office.machines.matching(principal, { text: sought })
  const isForAll = role === 'server' && principal.companyIds === null
  const gateways = isForAll ? await admin.gateways.listGateways(principal) : []
  const companies = await companiesOf(v1, principal)
  const { items } = await office.search.find(principal, sought)
  const all = addressOf(MACHINES, { q: sought, status: 'all' })
  return [
    ...machines.slice(0, MOST).map(({ device, contact, note }) => {
      const { id, label, premisesAddress, premisesCode, isuNumber } = device
      const written = [contact, note].filter((text) => has(text))
      const about = [premisesAddress, premisesCode, isuNumber && `ISU ${isuNumber}`, ...written]
      return hit('device', label, `${MACHINES}/${id}`, about.filter(Boolean).join(', '))
    }),
    ...(machines.length > MOST ? [hit('device', t.all(f.count(machines.length)), all)] : []),
    ...gateways.flatMap(({ gateway: { name } }) => (has(name) ? [hit('gateway', name, pathOf(name))] : [])),
    ...companies
      .filter(({ name, oib }) => has(name, oib))
      .map(({ id, name, oib }) => hit('company', name, `/dashboard/companies/${id}`, oib)),
    ...(isAmount(sought)
      ? [hit('amount', t.amount(sought), addressOf('/dashboard/invoices', { amount: sought }))]
      : []),
    ...items.slice(0, MOST).map((invoice) => {
      const { number, url, at, total } = rowOf(invoice, new Map(), invoiceTexts[language])
      return hit('invoice', number, url, `${f.time(at)}, ${f.money(total)}`)
    }),
  ]
}
