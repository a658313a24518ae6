import { addressOf } from '../addresses.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

/** Lists whose filter and order can be saved, by their addresses. */
export const LISTS = { devices: '/dashboard/devices', invoices: '/dashboard/invoices' } as const
export type ViewedList = keyof typeof LISTS

/** What is no part of a view: where in the list one is, and what was said there. */
export const FLEETING = ['page', 'before', 'after', 'cursor', 'notice', 'sent']

/** The part of an address that a view keeps, always written the same way. */
export function viewQuery(query: string | Record<string, string>): string {
  const kept = [...new URLSearchParams(query)].filter(([name, value]) => value !== '' && !FLEETING.includes(name))
  return String(new URLSearchParams(kept.sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** The user's views of a list, and the page where the present one is saved and others are removed. */
export async function savedViewsOf({ office }: DashboardDeps, context: PageContext, list: ViewedList) {
  const { principal, language, query } = context
  const present = viewQuery(query)
  const views = (await office.savedViews.list(principal, list)).map((view) => ({
    text: view.name,
    href: `${LISTS[list]}?${view.query}`,
    query: Object.fromEntries(new URLSearchParams(view.query)),
    isPresent: view.query === present,
  }))
  const canSave = present !== '' && !views.some(({ isPresent }) => isPresent)
  const t = texts[language]
  const manage = { href: addressOf('/dashboard/views', { list, query: present }), text: canSave ? t.save : t.views }
  return { views, manage: canSave || views.length > 0 ? manage : null }
}
