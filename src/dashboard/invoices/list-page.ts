import { dateAt, isoDate } from '../../domain/calendar-date.ts'
import { formatMoney } from '../../domain/money.ts'
import type { InvoicePage, InvoiceTally, ListPosition } from '../../fiscal/office/invoice-list/list-invoices.ts'
import type { ListOrder } from '../../fiscal/office/invoice-list/plan.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import type { RangePosition } from '../../fiscal/ports/rows/invoice-ranges.ts'
import { addressOf as ownAddress } from '../addresses.ts'
import type { Formats } from '../formats.ts'
import { INVOICE_ID } from '../ids.ts'
import { choiceOf } from '../jobs/choice.ts'
import { inSlices, type List, type Pager } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { savedViewsOf, viewQuery } from '../saved-views/bar.ts'
import { failedTexts } from './failed-texts.ts'
import { type ListChoice, readFilter, withKnownNames, wordOf } from './filter.ts'
import { columnsOf } from './list-columns.ts'
import { filtersOf, MOST_SUGGESTED } from './list-filters.ts'
import { numberOf } from './list-view.ts'
import { type Texts, texts } from './texts.ts'

export async function invoiceList(deps: DashboardDeps, context: PageContext): Promise<List<Invoice>> {
  const { office } = deps
  const { principal, language, query, f } = context
  const t = texts[language]
  const sought = (query.q ?? '').trim()
  // Whoever searches for one invoice looks at all of them.
  const choice = await withKnownNames(deps, context, readFilter(sought === '' ? query : {}, t), t)
  const { wanted, address, errors } = choice
  const listed = sought === '' ? await narrowed(deps, context, choice) : await found(deps, context, sought, t)
  const { items, tally, message, searchedTo, order } = listed
  const machines = new Map((await office.machines.matching(principal, {})).map((one) => [one.device.id, one]))
  const isWrong = Object.keys(errors).length > 0
  const isNarrow = Object.keys(address).some((name) => name !== 'order')
  const matching = isNarrow && !isWrong ? matchingOf(tally) : null
  const mayChoose = context.may('operator')
  const { cause, status } = wanted
  const tab = (text: string, tabQuery: Record<string, string>) => ({
    ...{ text, href: addressOf(tabQuery) },
    isPresent: viewQuery(address) === viewQuery(tabQuery),
  })
  const today = isoDate(dateAt(deps.now()))
  const nothing = searchedTo ? t.searchOn : isNarrow ? t.none : t.noneYet
  return {
    title: t.title,
    path: LIST,
    query: sought === '' ? query : {},
    count: matchingOf(tally)?.isAll ? matchingOf(tally)?.count : undefined,
    caption: t.captions[wordOf(order) as keyof Texts['captions']],
    // What is not understood filters nothing: its field says so.
    none: message ?? (isWrong ? '' : nothing),
    said: [items.length > 0 && message, searchedTo && t.searchedTo(f.inText(searchedTo))].filter(Boolean).join(' '),
    rows: items,
    all: () => (sought === '' ? allOf(deps, context, choice) : inSlices(items)),
    file: 'invoices',
    columns: columnsOf(context, machines, listed.canOrderByAmount),
    tabs: [
      tab(t.everything, {}),
      tab(t.periods.today, { from: today, to: today }),
      tab(t.wantedStatuses.waiting, { status: 'waiting' }),
      tab(t.refusedOnes, { status: 'failed' }),
    ],
    savedViews: await savedViewsOf(deps, context, 'invoices'),
    search: { name: 'q', label: t.searchHint, value: sought },
    filters: await filtersOf(deps, context, choice),
    sums: tally ? sumsOf(tally, t, f) : [],
    order: { ...order, write: (by, direction) => ({ order: wordOf({ by: by as ListOrder['by'], direction }) }) },
    again:
      mayChoose && cause !== undefined && status === 'failed' && matching?.isAll
        ? { code: cause, text: failedTexts[language].retryAll(matching.count) }
        : false,
    choice: mayChoose && {
      ...choiceOf(context, { works: ['retry', 'copies'], filter: String(new URLSearchParams(address)), matching }),
      of: (invoice) => ({ id: invoice.id, name: numberOf(invoice) }),
    },
    links: [{ href: `${LIST}/failed`, text: t.seeFailed }],
    pager: listed.pager,
  }
}

/** A page of the list at a time: none takes longer than another. */
async function* allOf({ office }: DashboardDeps, { principal }: PageContext, { wanted, order }: ListChoice) {
  for (let position: ListPosition = 'first'; ; ) {
    const { items, next }: InvoicePage = await office.invoiceList.page(principal, wanted, order, position)
    if (items.length > 0) yield items
    if (next === null) return
    position = { behind: next }
  }
}

/** Devices like what was typed so far, as options of a `datalist`. */
export async function suggestDevices({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const text = (context.query.device ?? '').trim()
  const found = text === '' ? [] : await office.machines.matching(context.principal, { text })
  const options = found.slice(0, MOST_SUGGESTED).map(({ device }) => device)
  return context.fragment('invoices/device-options', { options })
}

interface Listed {
  items: Invoice[]
  pager: Pager
  order: ListOrder
  canOrderByAmount: boolean
  /** Null for a search. */
  tally: InvoiceTally | null
  /** The moment of the sale up to which was searched, where more may be found behind it. */
  searchedTo: number | null
  message: string | null
}

const LIST = '/dashboard/invoices'
const addressOf = (more: Record<string, string>) => ownAddress(LIST, more)

async function narrowed(
  { office: { invoiceList } }: DashboardDeps,
  { principal, query }: PageContext,
  { wanted, order: asked, address }: ListChoice,
): Promise<Listed> {
  const position = readPosition(query)
  const shown = await invoiceList.page(principal, wanted, asked, position)
  const { items, order, canOrderByAmount, next, previous, searchedTo } = shown
  const to = (name: string, position: RangePosition | null) =>
    position && addressOf({ ...address, [name]: `${position.amount}.${position.at}.${position.id}` })
  return {
    items,
    order,
    canOrderByAmount,
    message: null,
    tally: await invoiceList.tally(principal, wanted),
    searchedTo: searchedTo?.at ?? null,
    pager: {
      first: previous === null && position === 'first' ? null : addressOf(address),
      previous: to('before', previous),
      next: to('after', next),
      last: next === null ? null : addressOf({ ...address, page: 'last' }),
    },
  }
}

async function found({ office }: DashboardDeps, { principal }: PageContext, sought: string, t: Texts): Promise<Listed> {
  const { items, more, wanted } = await office.search.find(principal, sought)
  const isUnderstood = Object.keys(wanted).length > 0
  const nothing = isUnderstood ? t.foundNothing : t.notUnderstood
  const message = items.length === 0 ? nothing : more ? t.foundMore(items.length) : t.found(items.length)
  const order: ListOrder = { by: 'time', direction: 'descending' }
  return { items, pager: {}, order, canOrderByAmount: false, tally: null, searchedTo: null, message }
}

function matchingOf(tally: InvoiceTally | null) {
  if (tally === null) return null
  const parts = [tally.live, tally.test].filter((part) => part !== null)
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return { count, isAll: parts.every(({ isComplete }) => isComplete) }
}

const POSITION = /^(-?\d{1,18})\.(-?\d{1,16})\.(.+)$/

function parsePosition(text: string | undefined): RangePosition | undefined {
  const [, amount = '', at = '', id = ''] = POSITION.exec(text ?? '') ?? []
  return INVOICE_ID.test(id) ? { amount: BigInt(amount), at: Number(at), id } : undefined
}

/** Which page an address asks for; the first one where it names none. */
function readPosition({ after, before, page }: Record<string, string>): ListPosition {
  const [behind, ahead] = [parsePosition(after), parsePosition(before)]
  if (behind !== undefined) return { behind }
  if (ahead !== undefined) return { before: ahead }
  return page === 'last' ? 'last' : 'first'
}

/** How many invoices a list has, and their sum: one sentence for real sales and one for test sales. */
function sumsOf(tally: InvoiceTally, t: Texts, f: Formats): string[] {
  const parts = (['live', 'test'] as const).flatMap((mode) => {
    const found = tally[mode]
    return found === null || (found.count === 0 && found.isComplete) ? [] : [{ mode, ...found }]
  })
  return parts.map(({ mode, count, cents, isComplete, isCountOnly }) => {
    const kind = parts.length > 1 ? mode : null
    if (isCountOnly) return t.moreThan(count, f.count(count), kind)
    const say = isComplete ? t.sum : t.atLeast
    return say(count, f.count(count), f.money(formatMoney(cents)), kind)
  })
}
