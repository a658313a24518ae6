import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'

// For each test file anew.
afterAll(endFile)
