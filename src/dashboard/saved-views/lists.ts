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
