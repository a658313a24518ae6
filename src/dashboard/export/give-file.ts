import { Readable } from 'node:stream'
import { FiskError } from '../../domain/errors.ts'
import type { NoteDownload } from '../../fiscal/office/export.ts'
import type { Table } from '../../reports/tables/cells.ts'
import { csvOf } from '../../reports/tables/csv.ts'
import type { PageContext } from '../page-routes.ts'

export interface GivenFile {
  name: string
  type: string
  /** Made while it is read; it stops when its reader does. */
  content: Readable
}

export const csvFile = (table: Table, name: string): GivenFile => ({
  name: `${name}.csv`,
  type: 'text/csv; charset=utf-8',
  content: Readable.from(csvOf(table)),
})

export async function xlsxFile(tables: readonly Table[], name: string): Promise<GivenFile> {
  const { workbookOf } = await import('../../reports/tables/workbook.ts')
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: `${name}.xlsx`, type, content: Readable.from(workbookOf(tables)) }
}

export interface Making {
  userId: string
  written: number
  /** Of files of invoices, which may take minutes; null for the others. */
  total: number | null
}

/** Each file does a slice of its work in every turn of the event loop, and sales wait for all of them. */
const AT_ONCE = 2

export function createFileGiving(noteDownload: NoteDownload) {
  const making = new Set<Making>()
  return {
    making: making as ReadonlySet<Making>,
    /**
     * Sends a file and writes that into the audit log.
     * @throws FiskError `rate_limited` while the user's last file, or others, are made
     */
    async give({ principal, reply }: PageContext, file: (making: Making) => Promise<GivenFile>) {
      const { raw: response, request } = reply
      // 'close' was emitted already, and would never give the place back.
      if (response.destroyed || request.raw.socket.destroyed)
        throw new FiskError('invalid_request', 'the caller has left')
      // One user who reads slowly leaves the other place to the others.
      if (making.size >= AT_ONCE || [...making].some(({ userId }) => userId === principal.id))
        throw new FiskError('rate_limited', 'other files are being made: wait until one is done')
      const one: Making = { userId: principal.id, written: 0, total: null }
      making.add(one)
      response.once('close', () => making.delete(one))
      const { name, type, content } = await file(one)
      await noteDownload(principal, name)
      return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content)
    },
  }
}
