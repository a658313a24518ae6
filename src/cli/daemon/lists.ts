import { Option } from 'commander'
import type { Static, TSchema } from 'typebox'
import { ListOf, type ListView } from '../../contract/list.ts'
import { wrongUse } from '../failure.ts'
import type { Session } from '../session.ts'
import { type Column, tableHead, tableRows } from '../text/table.ts'
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

/** How rows are shown to people. */
export interface Rows<T> {
  /** Above the first row. */
  head: string
  rows(data: T[]): string
  /** The text instead of the rows when there are none. */
  none: string
}

export function tableOf<T>(layout: Column[], none: string, cells: (row: T) => string[]): Rows<T> {
  return { head: tableHead(layout), rows: (data) => tableRows(layout, data.map(cells)), none }
}

export interface PageOptions {
  limit?: string
  cursor?: string
  all?: true
}

/** For lists that may be endless: one page, or with `--all` the rest of it. */
export const pageOptions = () => [
  new Option('--limit <count>', 'how many, 1 to 200 (default: 50)'),
  new Option('--cursor <text>', 'go on where another page ended: its next_cursor'),
  new Option('--all', 'all of them, page by page'),
]

/** Shows one page of a list as it came, or all of it with `--all`. */
export async function showPages<S extends TSchema>(
  session: Session,
  path: string,
  row: S,
  query: Query,
  { limit, cursor, all }: PageOptions,
  asRows: Rows<Static<S>>,
): Promise<void> {
  const client = await session.client()
  if (all) {
    if (limit !== undefined) throw wrongUse('limit', '--limit is for one page, and --all is all of them.')
    return showAll(session, pages(client, path, row, { ...query, cursor }), asRows)
  }
  await session.show(await onePage(client, path, row, { ...query, limit, cursor }), (page) => {
    const { data, has_more } = page
    if (data.length === 0) return `${asRows.none}\n`
    const rest = has_more ? '\nThere are more: add --all, or a larger --limit. Scripts: --json and --cursor.\n' : ''
    return asRows.head + asRows.rows(data) + rest
  })
}

/** Shows a whole list while it comes, as one list envelope with `--json`; no more than a page is held. */
export async function showAll<T>(session: Session, all: AsyncIterable<ListView<T>>, asRows: Rows<T>): Promise<void> {
  const json = session.wantsJson()
  let count = 0
  for await (const { data } of all) {
    const before = count === 0 ? (json ? '{"object":"list","data":[\n' : asRows.head) : json ? ',\n' : ''
    if (data.length > 0) {
      await session.stream(before + (json ? data.map((row) => JSON.stringify(row)).join(',\n') : asRows.rows(data)))
    }
    count += data.length
  }
  if (json)
    await session.stream(`${count === 0 ? '{"object":"list","data":[' : '\n'}],"has_more":false,"next_cursor":null}\n`)
  else if (count === 0) await session.stream(`${asRows.none}\n`)
}
