import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { LISTS, type ViewedList, viewQuery } from './lists.ts'
import { texts } from './texts.ts'

/** For `partials/saved-views.eta`: the views of a list, and what can be saved as another one. */
export async function savedViewsOf(
  { office }: Pick<DashboardDeps, 'office'>,
  { principal, language, query }: PageContext,
  list: ViewedList,
) {
  const present = viewQuery(query)
  const views = (await office.savedViews.list(principal, list)).map((view) => ({
    ...view,
    href: `${LISTS[list]}?${view.query}`,
    isPresent: view.query === present,
  }))
  return { t: texts[language], list, present, views, canSave: present !== '' && !views.some((view) => view.isPresent) }
}
