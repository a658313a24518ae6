import type { AskedRequest } from '../../../fiscal/ports/rows/authority-requests.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { changesOne, columnsOf, run } from '../queries.ts'

export const { toColumns: requestRow, toModel: toRequest } = columnsOf<AskedRequest>()({ json: ['asked'] })

export function authorityRequests(db: Db): StoreTransaction['authorityRequests'] {
  const latest = () => db.selectFrom('authorityRequests').selectAll().orderBy('sentAt', 'desc').orderBy('id', 'desc')
  return {
    insert: (request) => db.insertInto('authorityRequests').values(requestRow(request)).$call(run),
    end: (id, end) =>
      db
        .updateTable('authorityRequests')
        .set(end)
        .where('id', '=', id)
        .where('state', 'in', ['sent', 'unknown'])
        .$call(changesOne),
    async ofInvoices(invoiceIds) {
      if (invoiceIds.length === 0) return []
      return (await latest().where('invoiceId', 'in', invoiceIds).execute()).map(toRequest)
    },
    async corrections({ companyId, premisesCode, mode }, { from, to }, limit) {
      const query = latest().where('companyId', '=', companyId).where('premisesCode', '=', premisesCode)
      const done = query.where('mode', '=', mode).where('invoiceId', 'is not', null).where('state', '=', 'done')
      const sent = done.where('sentAt', '>=', from).where('sentAt', '<', to)
      return (await sent.limit(limit).execute()).map(toRequest)
    },
    async ofPremises(companyId, premisesCode, limit) {
      const query = latest().where('companyId', '=', companyId).where('premisesCode', '=', premisesCode)
      return (await query.where('invoiceId', 'is', null).limit(limit).execute()).map(toRequest)
    },
    ofJobRow: async (jobRow) => toRequest(await latest().where('jobRow', '=', jobRow).limit(1).executeTakeFirst()),
  }
}
