import { letterHtml } from '../../domain/texts/letter-html.ts'
import { timeInSentence } from '../../domain/zagreb.ts'
import type { LinkLetter } from '../../fiscal/access/password-links.ts'
import { isInvited } from '../../fiscal/access/users.ts'
import { texts } from './texts.ts'

/** An invitation, or a link for a new password, in the user's language. @param by the admin, and the name on the pages */
export const linkLetter =
  (by = ''): LinkLetter =>
  (user, { url, expiresAt }) => {
    const { language, name } = user
    const t = texts[language].letters[isInvited(user) ? 'invitation' : 'reset']
    const { until } = texts[language].letters
    const paragraphs = [t.about(name, by), t.open, url, until(timeInSentence(expiresAt, language)), t.unexpected]
    return { subject: t.subject, text: `${paragraphs.join('\n\n')}\n`, html: letterHtml(paragraphs, url) }
  }
