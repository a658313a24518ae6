import { TOLD_LENGTH } from '../../domain/text-lengths.ts'
import { cutText } from '../../domain/texts/cut-text.ts'
import type { JsonObject } from '../ports/model.ts'

/** What a gateway says of a command that it did not do. It may say anything, in 256 KB. */
export function toldError(result: JsonObject | null): { code: string | null; message: string } {
  const { code, message } = (result?.error ?? {}) as Record<string, unknown>
  return {
    code: typeof code === 'string' ? cutText(code, TOLD_LENGTH) : null,
    message: typeof message === 'string' ? cutText(message, TOLD_LENGTH) : '',
  }
}
