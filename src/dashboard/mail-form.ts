import type { PageContext } from './page-routes.ts'

/** A form by which something is mailed to one address, see `partials/mail-form.eta`. */
export interface MailForm {
  action: string
  /** What else it sends. */
  hidden?: Record<string, string>
  to: string
  /** Why it was refused: the form is shown again, with the words of the refusal at its only field. */
  error?: string | undefined
}

/** The form as it was sent, with the refusal. */
export function refusedMail({ form }: PageContext, errors: Record<string, string>): Pick<MailForm, 'to' | 'error'> {
  return { to: form.to ?? '', error: Object.values(errors)[0] }
}

export const addressIn = ({ form }: PageContext) => form.to?.trim() ?? ''
