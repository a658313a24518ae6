import { INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { salesChoices } from '../sales-choices.ts'
import { readFilter } from './filter.ts'
import { rowOf } from './list-view.ts'
import { type Texts, texts } from './texts.ts'

type Deps = Pick<DashboardDeps, 'v1' | 'office'>

/** The list, narrowed down, or what a search has found. */
export async function listPage(deps: Deps, context: PageContext): Promise<unknown> {
  const t = texts[context.language]
  const sought = (context.query.q ?? '').trim()
  const choice = readFilter(context.query, t)
  const choices = await salesChoices(deps.v1, context.principal, choice.values.device)
  const listed = sought === '' ? await narrowed(deps, context, choice) : await found(deps, context, sought, t)
  const labels = new Map(choices.devices.map(({ value, text }) => [value, text.replace(/ \([^)]*\)$/, '')]))
  return context.show('invoices/list', {
    title: t.title,
    t,
    sought,
    choices,
    statuses: INVOICE_STATUSES,
    isNarrow: Object.keys(choice.address).length > 0,
    values: choice.values,
    errors: choice.errors,
    message: listed.message,
    next: listed.next,
    first: listed.first,
    rows: listed.items.map((invoice) => rowOf(invoice, labels, t)),
  })
}

interface Listed {
  items: Invoice[]
  next: string | null
  first: string | null
  message: string | null
}

async function narrowed(
  { v1 }: Deps,
  { principal, query }: PageContext,
  { filter, mode, address }: ReturnType<typeof readFilter>,
): Promise<Listed> {
  const as = mode === null ? principal : { ...principal, mode }
  const page = await v1.listInvoices(as, filter, readSlice('invoices', { cursor: query.cursor }))
  const url = (more: Record<string, string>) => `/dashboard/invoices?${new URLSearchParams({ ...address, ...more })}`
  return {
    items: page.items,
    message: null,
    next: page.next && url({ cursor: writeCursor('invoices', page.next) }),
    first: query.cursor === undefined ? null : url({}),
  }
}

async function found({ office }: Deps, { principal }: PageContext, sought: string, t: Texts): Promise<Listed> {
  const { items, more, wanted } = await office.search.find(principal, sought)
  const isUnderstood = Object.keys(wanted).length > 0
  const nothing = isUnderstood ? t.foundNothing : t.notUnderstood
  const message = items.length === 0 ? nothing : more ? t.foundMore(items.length) : t.found(items.length)
  return { items, next: null, first: null, message }
}
