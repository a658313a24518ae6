import { withoutControls } from '../../domain/control-characters.ts'
import { invalidRequest, notFound } from '../../domain/errors.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { CreatingContext } from '../context.ts'
import type { SavedView } from '../ports/rows/tags-notes-views.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'

export const VIEW_LIMITS = { ofList: 20, nameCharacters: 60, queryCharacters: 2000 } as const

export function createSavedViews({ store, clock, newUuid }: CreatingContext) {
  return {
    /** The user's own views of a list, by name. */
    async list(principal: Principal, list: string): Promise<SavedView[]> {
      requireScope(principal, 'fleet:read')
      return store.savedViews.list(principal.id, list)
    },
    /** Saves a view of a list for this user alone; one of the same name is replaced. @throws FiskError 400 (`name`) */
    async save(
      principal: Principal,
      { list, query, ...typed }: Pick<SavedView, 'list' | 'name' | 'query'>,
      keep?: Keep<SavedView>,
    ): Promise<SavedView> {
      requireScope(principal, 'fleet:read')
      const name = withoutControls(typed.name).trim()
      if (name === '') throw invalidRequest('name', 'a view needs a name', 'view_name_missing')
      if ([...name].length > VIEW_LIMITS.nameCharacters) throw invalidRequest('name', 'too long', 'view_name_too_long')
      if (query.length > VIEW_LIMITS.queryCharacters) throw invalidRequest('name', 'too long', 'view_too_long')
      return keeping(store, keep, async (tx) => {
        await tx.subjects.hold(`views ${principal.id}`)
        const others = (await tx.savedViews.list(principal.id, list)).filter((view) => view.name !== name)
        if (others.length >= VIEW_LIMITS.ofList) throw invalidRequest('name', 'too many views', 'views_too_many')
        const view = { id: newUuid(), userId: principal.id, list, name, query, createdAt: clock.now() }
        await tx.savedViews.put(view)
        await audit(tx, principal, view.createdAt, 'view.saved', { list, name })
        return view
      })
    },
    /** @throws FiskError 404 for a view of somebody else, too */
    async remove(principal: Principal, id: string, keep?: Keep<SavedView>): Promise<SavedView> {
      requireScope(principal, 'fleet:read')
      return keeping(store, keep, async (tx) => {
        const view = await tx.savedViews.remove(principal.id, id)
        if (!view) throw notFound('id', 'there is no such view')
        await audit(tx, principal, clock.now(), 'view.removed', { list: view.list, name: view.name })
        return view
      })
    },
  }
}
