import type { Fields, PageContext } from './page-routes.ts'

/** What `partials/mail-form.eta` shows again: the address, and why it was refused in the words of its only field. */
export const refusedMail = ({ form }: PageContext, errors: Fields) => ({
  to: form.to ?? '',
  error: Object.values(errors)[0],
})
export type RefusedMail = ReturnType<typeof refusedMail>

export const addressIn = ({ form }: PageContext) => form.to?.trim() ?? ''
