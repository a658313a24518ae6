import type { Receipt } from '../../domain/sale/receipt.ts'
import { logoBitmap } from '../logo/logo-bitmap.ts'
import type { Page } from './page.ts'
import type { Paper } from './paper.ts'

export function addLogo(page: Page, { logo: hash, logoFile: file }: Receipt, paper: Paper): void {
  const bitmap = hash !== undefined && file && logoBitmap({ hash, file }, paper)
  if (bitmap) page.picture(bitmap)
}
