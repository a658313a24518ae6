import { Option } from 'commander'
import type { Static, TSchema } from 'typebox'
import { ListOf, type ListView } from '../../contract/list.ts'
import type { Flags, Given } from '../command.ts'
import { wrongUse } from '../failure.ts'
import type { Session } from '../session.ts'
import { paragraph } from '../text/columns.ts'
import { csvHead, csvOption, csvRows, type Sheet } from '../text/csv.ts'
import type { Screen } from '../text/screen.ts'
import { type Column, tableHead, tableRows } from '../text/table.ts'
import { translate } from '../words/translate.ts'
import type { Client } from './client.ts'

/** What a list may be asked for; what is undefined is not asked for. */
export type Query = Record<string, string | undefined>

const LARGEST_PAGE = '200'

/** The pages of a list from a place on, one at a time: rows that are added meanwhile are not told twice. */
export async function* pages<S extends TSchema>(
  client: Client,
  path: string,
  row: S,
  query: Query = {},
): AsyncGenerator<ListView<Static<S>>> {
  for (let cursor = query.cursor; ; ) {
    const page = await onePage(client, path, row, { limit: LARGEST_PAGE, ...query, cursor })
    yield page
    if (page.next_cursor === null) return
    cursor = page.next_cursor
  }
}

/** All rows of a list that is as long as a fleet is large. */
export async function allRows<S extends TSchema>(
  client: Client,
  path: string,
  row: S,
  query: Query = {},
): Promise<Static<S>[]> {
  const rows: Static<S>[] = []
  for await (const { data } of pages(client, path, row, query)) rows.push(...data)
  return rows
}

async function onePage<S extends TSchema>(
  client: Client,
  path: string,
  row: S,
  query: Query,
): Promise<ListView<Static<S>>> {
  const asked = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return client.get(`${path}?${new URLSearchParams(asked)}`, ListOf(row, 'List'))
}

export interface Rows<T> {
  head(screen: Screen): string
  rows(data: T[], screen: Screen): string
  none: string
  sheet: Sheet<T>
}

/** @param cells of a row, in the language of the screen */
export function tableOf<T>(
  layout: Column[],
  { none, cells, sheet }: Pick<Rows<T>, 'none' | 'sheet'> & { cells: (row: T, say: Say) => string[] },
): Rows<T> {
  return {
    head: (screen) => tableHead(layout, screen),
    rows: (data, screen) => {
      const say: Say = (text) => translate(text, screen.language)
      return tableRows(
        layout,
        data.map((row) => cells(row, say)),
        screen,
      )
    },
    none,
    sheet,
  }
}

export type Say = (text: string) => string

export type PageOptions = ListOptions & Given<'limit' | 'cursor'> & Flags<'all'>

export interface ListOptions {
  csv?: true
}

/** For lists that may be endless: one page, or with `--all` the rest of it. */
export const pageOptions = () => [
  new Option('--limit <count>', 'how many, 1 to 200 (default: 50)'),
  new Option('--cursor <text>', 'go on where another page ended: its next_cursor'),
  new Option('--all', 'all of them, page by page'),
  csvOption(),
]

/** Shows one page of a list as it came, or all of it with `--all`; with `--csv` all of it, or a page that is asked for. */
export async function showPages<S extends TSchema>(
  session: Session,
  path: string,
  row: S,
  query: Query,
  { limit, cursor, all, csv }: PageOptions,
  asRows: Rows<Static<S>>,
): Promise<void> {
  const client = await session.client()
  const isWhole = all || (csv && limit === undefined && cursor === undefined)
  if (isWhole) {
    if (limit !== undefined) throw wrongUse('limit', '--limit is for one page, and --all is all of them.')
    return showAll(session, pages(client, path, row, { ...query, cursor }), asRows, csv)
  }
  const page = await onePage(client, path, row, { ...query, limit, cursor })
  await showPage(session, page, asRows, csv)
}

export async function showPage<T>(session: Session, page: ListView<T>, asRows: Rows<T>, csv?: true): Promise<void> {
  if (csv) return showAll(session, [page], asRows, csv)
  await session.show(page, ({ data, has_more }, screen) => {
    if (data.length === 0) return paragraph('', asRows.none, screen)
    const rest = 'There are more: add --all, or a larger --limit. Scripts: --json and --cursor.'
    return asRows.head(screen) + asRows.rows(data, screen) + (has_more ? `\n${paragraph('', rest, screen)}` : '')
  })
}

/** Shows a whole list while it comes, as one list envelope with `--json`; no more than a page is held. */
export async function showAll<T>(
  session: Session,
  all: AsyncIterable<ListView<T>> | Iterable<ListView<T>>,
  asRows: Rows<T>,
  csv?: true,
): Promise<void> {
  const form = csv ? csvForm(session, asRows) : session.wantsJson() ? JSON_FORM : textForm(session, asRows)
  let count = 0
  for await (const { data } of all) {
    if (data.length > 0) await session.stream((await form.before(count === 0)) + (await form.rows(data)))
    count += data.length
  }
  await session.stream(await form.end(count === 0))
}

interface Form<T> {
  before(isFirst: boolean): string | Promise<string>
  rows(data: T[]): string | Promise<string>
  end(isEmpty: boolean): string | Promise<string>
}

const JSON_START = '{"object":"list","data":['

const JSON_FORM: Form<unknown> = {
  before: (isFirst) => (isFirst ? `${JSON_START}\n` : ',\n'),
  rows: (data) => data.map((row) => JSON.stringify(row)).join(',\n'),
  end: (isEmpty) => `${isEmpty ? JSON_START : '\n'}],"has_more":false,"next_cursor":null}\n`,
}

function textForm<T>({ screen }: Session, { head, rows, none }: Rows<T>): Form<T> {
  return {
    before: (isFirst) => (isFirst ? head(screen) : ''),
    rows: (data) => rows(data, screen),
    end: (isEmpty) => (isEmpty ? paragraph('', none, screen) : ''),
  }
}

function csvForm<T>(session: Session, { sheet }: Rows<T>): Form<T> {
  if (session.wantsJson())
    throw wrongUse('csv', 'A list is printed either as CSV or as JSON.', 'Leave --csv or --json out.')
  const head = () => csvHead(sheet as Sheet<never>)
  return {
    before: (isFirst) => (isFirst ? head() : ''),
    rows: (data) => csvRows(sheet, data),
    end: (isEmpty) => (isEmpty ? head() : ''),
  }
}
