import type { WiredAll } from '../wired.ts'
import { skipLostNumbers } from './account-for-lost.ts'
import { healNumbers } from './heal-numbers.ts'
import { listNumbers } from './list-numbers.ts'

export const NUMBERING_ADMIN = { listNumbers, healNumbers, skipLostNumbers }

export type NumberingAdmin = WiredAll<typeof NUMBERING_ADMIN>
