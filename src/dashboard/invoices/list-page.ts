import { formatMoney } from '../../domain/money.ts'
import { FISCAL_ERRORS } from '../../domain/sale/invoice.ts'
import { AGES } from '../../domain/sale/invoice-age.ts'
import type { InvoiceTally, ListPosition } from '../../fiscal/office/invoice-list/list-invoices.ts'
import type { ListOrder } from '../../fiscal/office/invoice-list/plan.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import type { RangePosition } from '../../fiscal/ports/rows/invoice-ranges.ts'
import type { Formats } from '../formats.ts'
import { INVOICE_ID } from '../ids.ts'
import { choiceOf } from '../jobs/choice.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { salesChoices } from '../sales-choices.ts'
import { savedViewsOf } from '../saved-views/bar.ts'
import { sortedHeading } from '../sorted-heading.ts'
import { failedTexts } from './failed-texts.ts'
import { gatewayNames, type ListChoice, readFilter, WANTED_STATUSES, withKnownNames, wordOf } from './filter.ts'
import { rowOf } from './list-view.ts'
import { type Texts, texts } from './texts.ts'

export function invoiceListPage(deps: DashboardDeps): (context: PageContext) => Promise<unknown> {
  return async (context) => {
    const t = texts[context.language]
    const sought = (context.query.q ?? '').trim()
    const choice = await withKnownNames(deps, context, readFilter(context.query, t), t)
    const choices = await salesChoices(deps.v1, context.principal, choice.wanted.deviceId)
    const listed = sought === '' ? await narrowed(deps, context, choice) : await found(deps, context, sought, t)
    const labels = new Map(choices.devices.map(({ value, text }) => [value, text.replace(/ \([^)]*\)$/, '')]))
    const isNarrow = Object.keys(choice.address).some((name) => name !== 'order')
    const it = {
      t,
      sought,
      choice: choiceOf(context, {
        works: ['retry', 'copies'],
        filter: String(new URLSearchParams(choice.address)),
        matching: isNarrow && Object.keys(choice.errors).length === 0 ? matchingOf(listed.tally) : null,
      }),
      choices: { ...choices, ...(await otherChoices(deps, context, t)) },
      savedViews: await savedViewsOf(deps, context, 'invoices'),
      isNarrow,
      values: choice.values,
      errors: choice.errors,
      message: listed.message,
      sums: listed.tally && sumsOf(listed.tally, t, context.f),
      searchedTo: listed.searchedTo,
      ...listed.pager,
      headings: headingsOf(listed, choice, t),
      caption: t.captions[wordOf(listed.order) as keyof Texts['captions']],
      rows: listed.items.map((invoice) => rowOf(invoice, labels, t)),
    }
    // A wrong filter filters nothing: the list is there all the same.
    return context.show('invoices/list', it, 200)
  }
}

const MOST_SUGGESTED = 200

/** Devices like what was typed so far, as options of a `datalist`. */
export async function suggestDevices({ office }: DashboardDeps, context: PageContext): Promise<unknown> {
  const text = (context.query.device ?? '').trim()
  const found = text === '' ? [] : await office.machines.matching(context.principal, { text })
  const options = found.slice(0, MOST_SUGGESTED).map(({ device }) => device)
  return context.fragment('invoices/device-options', { options })
}

interface Listed {
  items: Invoice[]
  /** Where the other pages are, for `partials/pager.eta`; null where there is nothing to go to. */
  pager: Record<'first' | 'previous' | 'next' | 'last', string | null>
  order: ListOrder
  canOrderByAmount: boolean
  /** Null for a search. */
  tally: InvoiceTally | null
  /** The moment of the sale up to which was searched, where more may be found behind it. */
  searchedTo: number | null
  message: string | null
}

const addressOf = (more: Record<string, string>) => `/dashboard/invoices?${new URLSearchParams(more)}`

async function narrowed(
  { office: { invoiceList } }: DashboardDeps,
  { principal, query }: PageContext,
  { wanted, order: asked, address }: ListChoice,
): Promise<Listed> {
  const position = readPosition(query)
  const shown = await invoiceList.page(principal, wanted, asked, position)
  const { items, order, canOrderByAmount, next, previous, searchedTo } = shown
  const to = (name: string, position: RangePosition | null) =>
    position && addressOf({ ...address, [name]: writePosition(position) })
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
  const pager = { first: null, previous: null, next: null, last: null }
  return { items, pager, order, canOrderByAmount: false, tally: null, searchedTo: null, message }
}

function matchingOf(tally: InvoiceTally | null) {
  if (tally === null) return null
  const parts = [tally.live, tally.test].filter((part) => part !== null)
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  return { count, isAll: parts.every(({ isComplete }) => isComplete) }
}

async function otherChoices(deps: DashboardDeps, context: PageContext, t: Texts) {
  const causes = failedTexts[context.language].causes
  return {
    /** Null at a gateway. */
    gateways: deps.role === 'server' ? (await gatewayNames(deps, context)).slice(0, MOST_SUGGESTED) : null,
    statuses: WANTED_STATUSES.map((value) => ({ value, text: t.wantedStatuses[value] })),
    ages: AGES.map((value) => ({ value, text: t.ages[value] })),
    causes: (Object.keys(FISCAL_ERRORS) as (keyof typeof FISCAL_ERRORS)[]).map((value) => ({
      value,
      text: causes[value].title,
    })),
    payments: (['G', 'K', 'T', 'O'] as const).map((value) => ({ value, text: t.payments[value] })),
  }
}

function headingsOf({ order, canOrderByAmount, message }: Listed, { address }: ListChoice, t: Texts) {
  const heading = (text: string, by: ListOrder['by'], canBe: boolean) => {
    const { sorted, url } = sortedHeading(text, by, order, (of, direction) =>
      addressOf({ ...address, order: wordOf({ by: of, direction }) }),
    )
    return { text, sorted: message === null ? sorted : null, url: canBe ? url : null, isNumber: by === 'amount' }
  }
  return {
    time: heading(t.time, 'time', message === null),
    total: heading(t.total, 'amount', canOrderByAmount),
  }
}

/** A position in the list, for addresses. */
const writePosition = ({ amount, at, id }: RangePosition) => `${amount}.${at}.${id}`

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
