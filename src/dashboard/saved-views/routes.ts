import { notFound } from '../../domain/errors.ts'
import type { SavedView } from '../../fiscal/ports/rows/tags-notes-views.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { LISTS, type ViewedList, viewQuery } from './bar.ts'
import { texts } from './texts.ts'

const isList = (name: string): name is ViewedList => Object.hasOwn(LISTS, name)

/** Saves and removes views of lists; each user has their own. */
export function savedViewPages(pages: Pages, { office }: DashboardDeps): void {
  pages.get('/views', (context) => show(context, context.query))

  pages.post('/views', (context) => {
    const { list = '', name = '' } = context.form
    if (!isList(list)) throw notFound('list', 'there is no such list')
    const query = viewQuery(context.form.query ?? '')
    return context.once<SavedView>((keep) => office.savedViews.save(context.principal, { list, name, query }, keep), {
      to: whereOf,
      notice: 'saved',
      refused: (errors) => show(context, context.form, errors),
    })
  })

  pages.post('/views/:id/remove', ({ once, principal, params: { id = '' } }) =>
    once<SavedView>((keep) => office.savedViews.remove(principal, id, keep), {
      to: ({ list }) => (isList(list) ? LISTS[list] : '/dashboard'),
      notice: 'saved',
    }),
  )

  async function show(context: PageContext, asked: Record<string, string>, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    const { list = '', query = '', name } = asked
    if (!isList(list)) throw notFound('list', 'there is no such list')
    const present = viewQuery(query)
    const views = await office.savedViews.list(context.principal, list)
    const canSave = present !== '' && !views.some((view) => view.query === present)
    const title = canSave ? t.save : t.views
    return context.show('saved-views/page', { title, t, list, present, name, errors, views, canSave })
  }
}

const whereOf = ({ list, query }: SavedView) => (isList(list) ? `${LISTS[list]}?${query}` : '/dashboard')
