import { setFlagsFromString } from 'node:v8'

// A gateway lives beside others on a small machine, and what the heap has taken it hardly gives back. Its young generation
// keeps the first megabyte, for it would grow to sixteen times that, twice, while the program is read: said before anything
// else is. Its old one is tidied when a fifth has come to it, not when it has doubled.
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--heap-growing-percent=20')
await import('./program.ts')
