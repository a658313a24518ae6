import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The SQLite driver needs this version of Node's interface for native modules; with an older one it crashes. */
const NODE_API = 10

/** Runs a program of `dist/` on this Node or, where this is too old, on the one that npm brought along. */
export async function start(program) {
  const main = new URL(`../dist/${program}/main.js`, import.meta.url)
  if (!existsSync(main)) refuse('fiskd is not built yet: run `npm run build` first.', 1)
  if (Number(process.versions.napi) >= NODE_API) return import(main.href)
  const node = broughtAlong()
  if (!node) refuse(`fiskd does not run on Node ${process.versions.node}: use 22.14 or newer, best of all 24.`, 2)
  return runOn(node, fileURLToPath(main))
}

function refuse(reason, code) {
  console.error(reason)
  process.exit(code)
}

function broughtAlong() {
  try {
    return createRequire(import.meta.url).resolve(`node-linux-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}

/** As if it were this process: its terminal, its end, and the signals that it gets. */
function runOn(node, main) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends its own to both, and twice means at once.
  const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
  child.on('error', ({ message }) => refuse(`${node} does not start: ${message}`, 2))
  child.on('exit', (code, signal) => {
    process.removeAllListeners(signal ?? 'exit')
    if (signal) process.kill(process.pid, signal)
    else process.exit(code)
  })
}
