await import('./program.ts')
export {}
