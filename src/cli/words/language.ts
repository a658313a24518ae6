export const LANGUAGES = ['hr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** `FISKD_LANGUAGE`, else as programs of the system choose it (setlocale(3)). English is for everything that is not ours. */
export function languageOf(env: Record<string, string | undefined>): Language {
  const { FISKD_LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = env
  const chosen = FISKD_LANGUAGE || LC_ALL || LC_MESSAGES || LANG || ''
  return chosen.startsWith('hr') ? 'hr' : 'en'
}
