import { sql } from 'kysely'
import { NOT_MAILED } from '../../../domain/alert.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { GOES_ON, toAlert } from '../alerts.ts'
import { ofCompanies, run } from '../queries.ts'
import { FORGOTTEN_AT_ONCE, isDue } from './office-mails.ts'

export function mails(db: Db): StoreTransaction['mails'] {
  return {
    async untold({ tenantId, address, since, companyIds }, limit) {
      let query = db
        .selectFrom('alerts')
        .selectAll()
        .where('tenantId', '=', tenantId)
        .where(GOES_ON)
        .where('acknowledgedAt', 'is', null)
        .where('raisedAt', '>=', since)
        .where('kind', 'not in', NOT_MAILED)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('notices')
                .select('notices.alertId')
                .whereRef('notices.alertId', '=', 'alerts.id')
                .where('notices.recipient', '=', address),
            ),
          ),
        )
        .orderBy('raisedAt')
        .orderBy('id')
        .limit(limit)
      if (companyIds !== null) query = query.where(ofCompanies('companyId', companyIds))
      return (await query.execute()).map(toAlert)
    },
    async insert(mail, alertIds) {
      await db.insertInto('mails').values(mail).execute()
      // One by one, because the number of values per statement is limited.
      for (const alertId of alertIds) {
        await db.insertInto('notices').values({ alertId, recipient: mail.recipient, mailId: mail.id }).execute()
      }
    },
    untell: (id) => db.deleteFrom('notices').where('mailId', '=', id).$call(run),
    due: (now, soonest, limit) =>
      db
        .selectFrom('mails')
        .selectAll()
        .where(isDue(now, soonest))
        .orderBy('nextTryAt')
        .orderBy('id')
        .limit(limit)
        .execute(),
    get: (id) => db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst(),
    async alertsOf(mailId) {
      const rows = await db
        .selectFrom('notices')
        .innerJoin('alerts', 'alerts.id', 'notices.alertId')
        .selectAll('alerts')
        .where('notices.mailId', '=', mailId)
        .orderBy('alerts.raisedAt')
        .orderBy('alerts.id')
        .execute()
      return rows.map(toAlert)
    },
    update: (id, changes) => db.updateTable('mails').set(changes).where('id', '=', id).$call(run),
    noticesOf: (alertId) =>
      db
        .selectFrom('notices')
        .innerJoin('mails', 'mails.id', 'notices.mailId')
        .select(['notices.recipient', 'mails.status', 'mails.sentAt'])
        .where('notices.alertId', '=', alertId)
        .orderBy('notices.recipient')
        .execute(),
    async forget(before) {
      const goesOn = sql<boolean>`EXISTS (SELECT 1 FROM notices JOIN alerts ON alerts.id = notices.alert_id
        WHERE notices.mail_id = mails.id AND alerts.resolved_at IS NULL)`
      const old = await db
        .selectFrom('mails')
        .select('id')
        .where('createdAt', '<', before)
        .where('status', 'in', ['sent', 'given_up'])
        .where((eb) => eb.not(goesOn))
        .limit(FORGOTTEN_AT_ONCE)
        .execute()
      if (old.length === 0) return
      const ids = old.map(({ id }) => id)
      await db.deleteFrom('notices').where('mailId', 'in', ids).execute()
      await db.deleteFrom('mails').where('id', 'in', ids).execute()
    },
  }
}
