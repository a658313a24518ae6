#!/usr/bin/env node
import './supported-node.js'
import { existsSync } from 'node:fs'

const main = new URL('../dist/daemon/main.js', import.meta.url)
if (!existsSync(main)) {
  console.error('fiskd is not built yet: run `npm run build` first.')
  process.exit(1)
}
await import(main.href)
