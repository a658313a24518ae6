import { setImmediate } from 'node:timers/promises'
import type { Page } from '../../fiscal/list-page.ts'
import type { Slice } from '../../fiscal/ports/rows/lists.ts'
import { type Cell, type Table, tableOf } from '../../reports/tables/cells.ts'
import { addressOf } from '../addresses.ts'
import type { Formats } from '../formats.ts'
import type { choiceOf } from '../jobs/choice.ts'
import type { Fields, PageContext } from '../page-routes.ts'
import { FLEETING } from '../saved-views/bar.ts'
import { type Shown, shownIn } from './cells.ts'
import { texts } from './texts.ts'

/** A column of a list: of its page where it has a `place`, and of its files where it has a `cell`. */
export interface ListColumn<Row> {
  title: string
  /** Its heading on the page, where that has less room. */
  short?: string
  /** What its cells hold; also on the page where `page` says no more. */
  cell?: (row: Row) => Cell
  page?: (row: Row) => Shown | Cell
  /** Classes of the page: its width, at which width it leaves, where it stands on a phone (`m1` is the name of the row). */
  place?: string
  sort?: string | undefined
  /** The first direction when the list is ordered by another column so far. */
  first?: Direction
}

type Direction = 'ascending' | 'descending'

export interface Entry {
  value: string
  text: string
  /** How many rows the list has with it; undefined where that is not known. */
  count?: number | undefined
}

/** A field of the address, with what can be chosen. */
export interface ListFilter {
  name: string
  title: string
  /** Without the one for all, which has no value. */
  entries?: readonly Entry[]
  /** What can be typed instead. */
  fields?: readonly TypedField[]
  all?: string
  /** What is chosen; what the address says when left out. */
  value?: string
  /** What an entry changes in the address; the field of this name when left out. */
  set?(value: string): Record<string, string>
}

/** As `partials/field.eta` takes it. */
interface TypedField {
  name: string
  label: string
  value?: string | undefined
  error?: string | undefined
  options?: readonly Entry[]
  /** The value as people read it. */
  said?: string
}

export interface ListTab {
  text: string
  href: string
  count?: number | undefined
  isPresent?: boolean
}

interface RowGroup<Row> {
  title: string
  about: string
  sum: string
  /** All rows of the group, of which `more` says that there are others. */
  href: string
  more: string | null
  rows: readonly Row[]
}

/** A list as it is described once: its page and its files have the same rows and columns. */
export interface List<Row> {
  title: string
  path: string
  query: Fields
  about?: string | undefined
  /** How many rows there are on all pages; undefined where that is not known. */
  count?: number | undefined
  /** The title when left out. */
  caption?: string
  columns: readonly (ListColumn<Row> | false)[]
  /** Of this page. */
  rows: readonly Row[]
  /** The same rows under headings. */
  groups?: readonly RowGroup<Row>[]
  /** Of all pages; those of this page when left out. */
  all?: () => AsyncIterable<readonly Row[]>
  none: string
  /** By which name its files are found; without files when left out. */
  file?: string
  tabs?: readonly ListTab[]
  search?: { name: string; label: string; value?: string }
  filters?: readonly (ListFilter | false)[]
  order?: { by: string; direction: Direction; write(by: string, direction: Direction): Record<string, string> }
  /** What can be done with rows that are ticked. @param of by which id and name a row is known */
  choice?: (ReturnType<typeof choiceOf> & { of(row: Row): { id: string; name: string } }) | false
  savedViews?: { views: readonly ListTab[]; manage: { href: string; text: string } | null }
  crumb?: { href: string; text: string }
  /** More to do, in the menu of the head. */
  links?: readonly (ListTab | false)[]
  add?: { href: string; text: string } | false
  sums?: readonly string[]
  said?: string
  /** Sends all invoices of a cause again. */
  again?: { code: string; text: string } | false
  /** How often the rows are read anew, such as `15s`. */
  every?: string
  pager?: Pager
  /** Other classes of the table. */
  look?: string
}

/** Where the other pages are; undefined where there is nothing to go to. */
export type Pager = { [K in 'place' | 'first' | 'previous' | 'next' | 'last']?: string | null }

/** For a list that is read by cursor. @param next the cursor of the next page */
export function cursorPager(path: string, query: Fields, next: string | null): Pager {
  const at = (cursor: string | undefined) => addressOf(path, { ...query, notice: undefined, cursor })
  return { next: next && at(next), first: query.cursor === undefined ? null : at(undefined) }
}

/** What holds for this reader. */
const given = <T>(all: readonly (T | false)[]): T[] => all.filter((one): one is T => one !== false)

const WITHOUT_ORDER = () => ({ sorted: null, url: null })

/** For `lists/table.eta`: the columns that stand on a page. */
export function pageColumns<Row>(
  columns: readonly ListColumn<Row>[],
  f: Formats,
  headingOf: (column: ListColumn<Row>) => { sorted: Direction | null; url: string | null } = WITHOUT_ORDER,
) {
  const shown = shownIn(f)
  return columns.flatMap((column) => {
    const { title, short = title, place, cell = () => null, page = cell } = column
    if (place === undefined) return []
    // The width stands at the column, and what a phone does at its cells.
    const [width, kept] = [place.replace(/\bm\d\b/, ''), place.replace(/\bc-\S+/, '')]
    const isName = /\bm1\b/.test(place)
    return [
      { title: short, shown: (row: Row) => shown(page(row)), heading: headingOf(column), isName, width, place: kept },
    ]
  })
}

export const entriesOf = <T extends string>(values: readonly T[], names: Record<T, string>): Entry[] =>
  values.map((value) => ({ value, text: names[value] }))

export function showList<Row>(context: PageContext, list: List<Row>): Promise<unknown> {
  const { language, f } = context
  const t = texts[language]
  const { path, order, search } = list
  const filters = given(list.filters ?? [])
  const kept = Object.fromEntries(
    Object.entries(list.query).filter(([name, value]) => value !== '' && !FLEETING.includes(name)),
  )
  const to = (changes: Record<string, string>) => addressOf(path, { ...kept, ...changes })
  const narrowing = [...filters, ...filters.flatMap(({ fields = [] }) => fields), ...(search ? [search] : [])].map(
    ({ name }) => name,
  )
  const others = Object.entries(kept).filter(([name]) => !narrowing.includes(name))
  const isNarrow = narrowing.some((name) => kept[name]) || Boolean(search?.value)
  return context.show('lists/page', {
    t,
    listed: list,
    kept,
    title: list.title,
    headline: '/lists/head',
    columns: pageColumns(given(list.columns), f, headingOf),
    chips: filters.filter(({ entries = [], fields = [] }) => entries.length + fields.length > 0).map(chipOf),
    cleared: isNarrow ? addressOf(path, Object.fromEntries(others)) : null,
    links: given(list.links ?? []),
    files: list.file
      ? ['xlsx', 'csv'].map((ending) =>
          addressOf(`/dashboard/export/lists/${list.file}.${ending}`, {
            ...kept,
            _company: context.company?.id,
          }),
        )
      : [],
  })

  function headingOf({ sort, first = 'descending' }: Pick<ListColumn<Row>, 'sort' | 'first'>) {
    if (sort === undefined || order === undefined) return { sorted: null, url: null }
    const sorted = order.by === sort ? order.direction : null
    const turned = sorted === 'ascending' ? 'descending' : 'ascending'
    return { sorted, url: to(order.write(sort, sorted === null ? first : turned)) }
  }

  /** A filter names what is chosen, or what was typed. */
  function chipOf({
    name,
    title,
    entries = [],
    fields = [],
    value = kept[name] ?? '',
    all = t.all,
    ...filter
  }: ListFilter) {
    const { set = (to: string) => ({ [name]: to }) } = filter
    const chosen = entries.find((entry) => entry.value === value)
    const typed = fields
      .filter((field) => field.value)
      .map(({ value, said = value, options = [] }) => options.find((one) => one.value === value)?.text ?? said)
    const texts = chosen ? [chosen.text] : typed
    const links = [...(chosen ? [{ value: '', text: all }] : []), ...entries]
    return {
      title: texts.length > 0 ? `${title}: ${texts.join(', ')}` : title,
      isOn: texts.length > 0,
      isOpen: fields.some(({ error }) => error),
      entries: links.map((entry) => ({ ...entry, href: to(set(entry.value)), isOn: entry === chosen })),
      fields,
      names: fields.map((field) => field.name),
    }
  }
}

/** Of a column in a workbook, in characters. */
const WIDTH = 20

export function fileOf<Row>({ title, columns, rows, all = () => inSlices(rows) }: List<Row>): Table {
  const written = given(columns).flatMap(({ title, cell }) => (cell ? [{ title, cell, width: WIDTH }] : []))
  return tableOf(title, written, all())
}

const SLICE = 100

/** All rows of a list that is read page by page, with pauses for sales. */
export async function* inPages<T>(read: (slice: Slice) => Promise<Page<T>>): AsyncGenerator<T[]> {
  for (let after: Slice['after']; ; await setImmediate()) {
    const { items, next } = await read({ limit: SLICE, after })
    if (items.length > 0) yield items
    if (next === null) return
    after = next
  }
}

/** Rows that are in memory, with pauses for sales. */
export async function* inSlices<T>(all: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < all.length; start += SLICE) {
    yield all.slice(start, start + SLICE)
    await setImmediate()
  }
}
