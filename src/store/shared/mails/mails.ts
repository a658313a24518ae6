import { sql } from 'kysely'
import { NOT_MAILED } from '../../../domain/alert.ts'
import type { EpochMs } from '../../../domain/instant.ts'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { GOES_ON, toAlert } from '../alerts.ts'
import { countOf, matching, ofCompanies, run, sliceBy } from '../queries.ts'

/** Written out, not bound: the partial index is used only where this very term is seen. */
const ON_THEIR_WAY = sql<boolean>`status IN ('waiting', 'sending')`

/** A later try than `soonest` was set by a wrong clock. */
const isDue = (now: EpochMs, soonest: EpochMs) =>
  sql<boolean>`${ON_THEIR_WAY} AND (next_try_at <= ${now} OR next_try_at > ${soonest})`

const FORGOTTEN_AT_ONCE = 100

export function officeMails(db: Db): StoreTransaction['officeMails'] {
  const all = () => db.selectFrom('officeMails').selectAll()
  const ofTenant = (tenantId: string) => db.selectFrom('officeMails').where('tenantId', '=', tenantId)
  return {
    async insert(mail, files) {
      await db.insertInto('officeMails').values(mail).execute()
      for (const [position, file] of files.entries()) {
        await db
          .insertInto('officeMailFiles')
          .values({ ...file, mailId: mail.id, position })
          .execute()
      }
    },
    get: (id) => all().where('id', '=', id).executeTakeFirst(),
    byOnce: (tenantId, once) => all().where('tenantId', '=', tenantId).where('once', '=', once).executeTakeFirst(),
    files: (id) =>
      db
        .selectFrom('officeMailFiles')
        .select(['name', 'type', 'content'])
        .where('mailId', '=', id)
        .orderBy('position')
        .execute(),
    due: (now, soonest, limit) => sliceBy(all().where(isDue(now, soonest)), 'nextTryAt', 'asc', { limit }).execute(),
    update: (id, changes) => db.updateTable('officeMails').set(changes).where('id', '=', id).$call(run),
    async dropContent(id) {
      await db.updateTable('officeMails').set({ text: '', html: '' }).where('id', '=', id).execute()
      await db.deleteFrom('officeMailFiles').where('mailId', '=', id).execute()
    },
    about: (tenantId, about, limit) =>
      sliceBy(all().where(matching({ tenantId, about })), 'createdAt', 'desc', { limit }).execute(),
    async latestOf(tenantId, requestedBy) {
      if (requestedBy.length === 0) return []
      const isLatest = sql<boolean>`NOT EXISTS (SELECT 1 FROM office_mails later
        WHERE later.tenant_id = office_mails.tenant_id AND later.requested_by = office_mails.requested_by
        AND (later.created_at, later.id) > (office_mails.created_at, office_mails.id))`
      return all().where('tenantId', '=', tenantId).where('requestedBy', 'in', requestedBy).where(isLatest).execute()
    },
    async failing(tenantId, requestedBy, madeBy) {
      if (requestedBy.length === 0) return []
      // Only what a person asks for is not named by `once`.
      const sentAgain = sql<boolean>`EXISTS (SELECT 1 FROM office_mails later
        WHERE later.tenant_id = office_mails.tenant_id AND later.about = office_mails.about AND later.status = 'sent'
        AND later.created_at >= office_mails.created_at
        AND (later.requested_by = office_mails.requested_by OR later.once = later.id)
        AND (later.company_id IS NULL OR later.company_id = office_mails.company_id))`
      return all()
        .where('tenantId', '=', tenantId)
        .where('requestedBy', 'in', requestedBy)
        .where((eb) => eb.or([eb('status', '=', 'given_up'), eb.and([ON_THEIR_WAY, eb('createdAt', '<=', madeBy)])]))
        .where((eb) => eb.not(sentAgain))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .execute()
    },
    countWaiting: (tenantId) => ofTenant(tenantId).where(ON_THEIR_WAY).$call(countOf),
    countSince: (tenantId, requestedBy, since) =>
      ofTenant(tenantId).where('requestedBy', '=', requestedBy).where('createdAt', '>', since).$call(countOf),
    async forget(before) {
      const query = db.selectFrom('officeMails').select('id').where('createdAt', '<', before).orderBy('createdAt')
      const old = await query.where('status', 'in', ['sent', 'given_up']).limit(FORGOTTEN_AT_ONCE).execute()
      if (old.length === 0) return
      const ids = old.map(({ id }) => id)
      await db.deleteFrom('officeMailFiles').where('mailId', 'in', ids).execute()
      await db.deleteFrom('officeMails').where('id', 'in', ids).execute()
    },
  }
}

export function mails(db: Db): StoreTransaction['mails'] {
  const all = () => db.selectFrom('mails').selectAll()
  return {
    async untold({ tenantId, address, since, companyIds }, limit) {
      const query = db
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
        .where(ofCompanies('companyId', companyIds))
      return (await sliceBy(query, 'raisedAt', 'asc', { limit }).execute()).map(toAlert)
    },
    async insert(mail, alertIds) {
      await db.insertInto('mails').values(mail).execute()
      // One by one, because the number of values per statement is limited.
      for (const alertId of alertIds) {
        await db.insertInto('notices').values({ alertId, recipient: mail.recipient, mailId: mail.id }).execute()
      }
    },
    untell: (id) => db.deleteFrom('notices').where('mailId', '=', id).$call(run),
    due: (now, soonest, limit) => sliceBy(all().where(isDue(now, soonest)), 'nextTryAt', 'asc', { limit }).execute(),
    get: (id) => all().where('id', '=', id).executeTakeFirst(),
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
