import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

/** Lists whose filter and order can be saved, by their addresses. */
export const LISTS = { devices: '/dashboard/devices', invoices: '/dashboard/invoices' } as const
export type ViewedList = keyof typeof LISTS

/** What is no part of a view: where in the list one is, and what was said there. */
const FLEETING = ['page', 'before', 'after', 'notice', 'sent']

/** The part of an address that a view keeps, always written the same way. */
export function viewQuery(query: string | Record<string, string>): string {
  const kept = [...new URLSearchParams(query)].filter(([name, value]) => value !== '' && !FLEETING.includes(name))
  return String(new URLSearchParams(kept.sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** For `partials/saved-views.eta`: the views of a list, and what can be saved as another one. */
export async function savedViewsOf(
  { office }: DashboardDeps,
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
