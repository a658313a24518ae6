/** The first of our languages that a browser asks for (`Accept-Language`). */
export function acceptedLanguage(header: string | undefined): 'hr' | 'en' | undefined {
  const wanted = (header ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return wanted.find((language) => language === 'hr' || language === 'en')
}
