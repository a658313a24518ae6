import type { Language } from '../words/translate.ts'

/** An amount as people read it: `1.234,50` in Croatian, `1,234.50` in English. @param money as in all documents: `1234.50` */
export function amount(money: string, language: Language): string {
  const [euros = '', cents = ''] = money.split('.')
  const [group, point] = language === 'hr' ? ['.', ','] : [',', '.']
  return `${euros.replace(/\B(?=(\d{3})+$)/g, group)}${point}${cents}`
}
