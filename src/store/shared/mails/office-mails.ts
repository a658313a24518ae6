import { sql } from 'kysely'
import type { StoreTransaction } from '../../../fiscal/ports/store.ts'
import type { Db } from '../../sqlite/connection.ts'
import { FORGOTTEN_AT_ONCE, isDue, ON_THEIR_WAY } from './on-their-way.ts'

export function officeMails(db: Db): StoreTransaction['officeMails'] {
  const all = () => db.selectFrom('officeMails').selectAll()
  const counting = (tenantId: string) =>
    db
      .selectFrom('officeMails')
      .where('tenantId', '=', tenantId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
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
    due: (now, soonest, limit) =>
      all().where(isDue(now, soonest)).orderBy('nextTryAt').orderBy('id').limit(limit).execute(),
    async update(id, changes) {
      await db.updateTable('officeMails').set(changes).where('id', '=', id).execute()
    },
    async dropContent(id) {
      await db.updateTable('officeMails').set({ text: '', html: '' }).where('id', '=', id).execute()
      await db.deleteFrom('officeMailFiles').where('mailId', '=', id).execute()
    },
    about: (tenantId, about, limit) =>
      all()
        .where('tenantId', '=', tenantId)
        .where('about', '=', about)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
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
    async countWaiting(tenantId) {
      return (await counting(tenantId).where(ON_THEIR_WAY).executeTakeFirstOrThrow()).count
    },
    async countSince(tenantId, requestedBy, since) {
      const query = counting(tenantId).where('requestedBy', '=', requestedBy).where('createdAt', '>', since)
      return (await query.executeTakeFirstOrThrow()).count
    },
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
